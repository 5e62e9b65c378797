import type { ActionContext } from '../../actions/context.js';
import type { VerbName } from '../../actions/decision/verb-facts.js';
import type { startLine } from '../../schedule/start-line.js';
import type { RunQuery } from '../queries/query-pool.js';

export interface ConsoleContext {
  /** Read again each time, because the configuration may be reloaded. Decisions are carried out with it. */
  actionContext(): ActionContext;
  readonly query: RunQuery;
  reload(): Promise<void>;
  /** Runs work that continues after its response; closing the console waits for it. @param work must stop when the signal is aborted. */
  inBackground(name: string, work: (stop: AbortSignal) => Promise<unknown>): void;
  /** What this console has started, as long as the process lives; the ledger has all runs. */
  readonly started: {
    readonly runs: Map<
      number,
      {
        /** Requests under way finish; the rest waits. */
        readonly stop: AbortController;
        /** What went wrong, in sentences, which may quote a file. */
        readonly troubles: readonly string[];
      }
    >;
    /** The last start of each line of the schedule, by its `jobName`. */
    readonly lines: Map<string, StartedLine>;
  };
}

export interface StartedLine {
  readonly job: string;
  readonly who: string;
  readonly startedAt: string;
  /** null while it is running. */
  readonly outcome: Awaited<ReturnType<typeof startLine>> | { readonly failed: string } | null;
}

/** Plans a decision on another thread. */
export function planDecision<Plan>({ query }: ConsoleContext, verb: VerbName, request: unknown) {
  return query('plan', { verb, request }) as Promise<Plan>;
}
