import type { ActionContext } from '../../actions/context.js';
import type { VerbName } from '../../actions/decision/verb-facts.js';
import type { RunQuery } from '../queries/queries.js';

export interface ConsoleContext {
  /** Read again each time, because the configuration may be reloaded. Decisions are carried out with it. */
  actionContext(): ActionContext;
  /** Reads the ledger, beside the work of this thread. */
  readonly query: RunQuery;
  /** Has this process read registrar.yaml again. */
  reload(): Promise<void>;
  /** Lets work go on after its request was answered; the console's end waits for it. @param work heeds the signal, which ends it early. */
  inBackground(name: string, work: (stop: AbortSignal) => Promise<unknown>): void;
}

/** What a decision would do, worked out beside the work of this thread. */
export async function plannedBy<Plan>(
  context: ConsoleContext,
  verb: VerbName,
  request: unknown,
): Promise<Plan> {
  return (await context.query('plan', { verb, request })) as Plan;
}
