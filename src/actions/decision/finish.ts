import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { readState } from '../../ledger/books/state/read-state.js';
import type { KeptDecision } from '../../ledger/decisions/decision-log.js';
import { withLeases } from '../../ledger/leases/leases.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { errorCode, sqliteCode } from '../../workspace/files/io-error.js';
import type { ActionContext } from '../context.js';
import { runToCompletion } from './handler.js';
import { HANDLERS } from './handlers.js';

/** A decision of a dead process that this one has finished. */
export interface Finished extends Pick<KeptDecision, 'decisionId' | 'kind' | 'who'> {
  /** What needs attention in its result; null: nothing. */
  readonly trouble: OperatorError | null;
}

/**
 * Carries out the decisions of processes that died before they had done so. To be called before anything else is planned,
 * decided or delivered. Doesn't throw because of a decision: one that can't be carried out stops nothing else.
 * @param onFinished is called with each decision that was carried out.
 * @returns why decisions are left for the next process; nothing of those that a living process carries out or is in the way of.
 */
export async function finishDecisions(
  context: ActionContext,
  runId: number | null,
  onFinished: (finished: Finished) => void = () => {},
): Promise<readonly OperatorError[]> {
  const { ledger } = context;
  const stuck: OperatorError[] = [];
  for (const open of (await readState(ledger, ['work'])).work.decisions) {
    const { decisionId, kind, who } = open;
    const load = HANDLERS[kind];
    if (load === undefined) continue;
    try {
      const handler = await load();
      const leases = handler.leases(context);
      await withLeases(ledger, leases, thisProcess(), runId, async (held) => {
        // The process that held the leases until now may have carried it out.
        const { decisions } = (await readState(ledger, ['work'])).work;
        const decision = decisions.find((one) => one.decisionId === decisionId);
        if (decision === undefined) return;
        const { done } = await runToCompletion(context, handler, decision, runId, held);
        onFinished({ decisionId, kind, who, trouble: handler.trouble?.(context, decision, done) ?? null });
      });
    } catch (error) {
      stuck.push(stuckError(open, error));
    }
  }
  return stuck;
}

/** Why a decision is stuck, with its number, because the reader has requested something else. */
function stuckError({ decisionId, kind, who }: KeptDecision, error: unknown): OperatorError {
  const at = `decision ${decisionId}, ${kind} of ${who}, can't be finished`;
  const refusal = errorsOf('carry out a decision');
  if (error instanceof OperatorError) {
    // The person who ran this command made no usage error.
    const exit = error.exit === 'usage' ? 'attention' : error.exit;
    return refusal(String(decisionId), `${at}: ${error.message}`, error.hint, { exit, cause: error });
  }
  const message = `${at}: ${error instanceof Error ? error.message : String(error)}`;
  const hint = 'Its completed part remains, and the next registrar run or decision resumes it.';
  const exit = errorCode(error) !== null || sqliteCode(error) !== null ? 'io' : 'bug';
  return refusal(String(decisionId), message, hint, { exit, cause: error });
}
