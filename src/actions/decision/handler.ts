import { errorsOf, type OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import {
  closeDecision,
  type DecisionResult,
  type RecordedDecision,
} from '../../ledger/decisions/decision-log.js';
import { moveListedRows } from '../../ledger/decisions/move-listed-rows.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import type { HeldLeases, LeaseName } from '../../ledger/leases/leases.js';
import type { ActionContext } from '../context.js';

/**
 * How decisions of one kind are carried out, by the process that made them or the next one. The ledger holds the whole decision
 * before any part of it is carried out. A handler doesn't use `decide`, which carries out earlier decisions first.
 */
export interface DecisionHandler<Done = unknown> {
  /** The leases under which the decision is carried out; [] where two processes may carry out the same decision at once. */
  leases(context: ActionContext): readonly LeaseName[];
  /**
   * Carries out what is left of the decision, in short transactions. It may be killed between any two of them and called
   * again, because it reads from the ledger what is left. Throws OperatorError where an operator must act first.
   * @param runId the run of which this is a part; null where there is none.
   * @param held the requested leases; a process that takes one over resumes the decision.
   */
  carryOut(
    context: ActionContext,
    decision: RecordedDecision,
    runId: number | null,
    held: HeldLeases,
  ): Promise<Done>;
  /** What a person must know where another process has carried out the decision; null or absent: nothing. */
  trouble?(context: ActionContext, decision: RecordedDecision, done: Done): OperatorError | null;
}

export interface Decided<Done> {
  readonly decisionId: number;
  readonly done: Done;
  /** The result in numbers, as they are kept with the decision. */
  readonly result: DecisionResult;
}

/** Carries a decision out to its end. @param held the leases; absent: the caller makes sure that it holds them. */
export async function runToCompletion<Done>(
  context: ActionContext,
  handler: DecisionHandler<Done>,
  decision: RecordedDecision,
  runId: number | null,
  held: HeldLeases = HELD_BY_CALLER,
): Promise<Decided<Done>> {
  const { decisionId } = decision;
  const done = await handler.carryOut(context, decision, runId, held);
  failpoint('decision-carried-out');
  return { decisionId, done, result: await closeDecision(context.ledger, decisionId) };
}

const HELD_BY_CALLER: HeldLeases = { leases: [], lost: new AbortController().signal };

/**
 * Carries out the steps of a decision, and returns what they return at their end. Throws OperatorError once `lost` is aborted,
 * because another process has one of the leases.
 */
export async function runSteps<Step, Result>(
  steps: AsyncGenerator<Step, Result, undefined>,
  lost: AbortSignal,
  onStep: (step: Step) => void | Promise<void> = () => {},
): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    await onStep(step.value);
    // Thrown into the generator, so that it closes the rows it is reading.
    if (lost.aborted) await steps.throw(takenOver);
  }
}

const refusal = errorsOf('carry out a decision');

const takenOver = refusal(
  'the ledger',
  'another process has taken over this decision',
  'What is done stays done, and the next registrar run or decision carries out the rest.',
  { exit: 'attention' },
);

/** Moves the rows that a rerun or a dismissal lists. Two processes may do so at once: each row is moved once. */
export const moveRowsHandler: DecisionHandler<void> = {
  leases: () => [],
  async carryOut({ ledger }, decision, runId) {
    for await (const _ of moveListedRows(ledger, decision, runId));
  },
};

/** The drop that a decision is about, and its source. Throws OperatorError where registrar.yaml doesn't have the source any more. */
export async function dropOfDecision({ ledger, config }: ActionContext, decisionId: number, dropId: number) {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined) throw new Error(`decision ${decisionId} is about no published drop`);
  const source = config.sources.find(({ name }) => name === drop.source);
  if (source !== undefined) return { drop, source };
  const message = `decision ${decisionId} about ${drop.file} of source ${drop.source} was interrupted, and registrar.yaml no longer has this source`;
  const hint = 'Restore the source in registrar.yaml: the next registrar run or decision carries it out.';
  throw refusal(drop.file, message, hint, { exit: 'attention' });
}
