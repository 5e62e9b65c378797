import { type RunRequest, UNWATCHED, WHOLE_RUN } from '../../actions/run/request.js';
import { carryOut } from '../../actions/run.js';
import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { ConsoleContext } from './console-context.js';
import type { Work } from './going-on.js';

interface BegunRun {
  readonly stop: AbortController;
  isOver: boolean;
  /** What went wrong, in sentences. */
  troubles: readonly string[];
}

/** The runs that this console has begun, by their numbers. */
const BEGUN = new WeakMap<ConsoleContext, Map<number, BegunRun>>();

/**
 * Lets a person stop a run that this console has begun. @param stop ends it with the console. @returns the signal for the run, and
 * what to call once it has its number and once it has ended.
 */
export function stoppable(context: ConsoleContext, stop: AbortSignal) {
  const runs = BEGUN.get(context) ?? new Map<number, BegunRun>();
  BEGUN.set(context, runs);
  const run: BegunRun = { stop: new AbortController(), isOver: false, troubles: [] };
  return {
    interrupt: AbortSignal.any([stop, run.stop.signal]),
    begun: (runId: number) => void runs.set(runId, run),
    ended: (troubles: readonly string[] = []) => Object.assign(run, { isOver: true, troubles }),
  };
}

export function mayStop(context: ConsoleContext, runId: number): boolean {
  const run = BEGUN.get(context)?.get(runId);
  return run !== undefined && !run.isOver && !run.stop.signal.aborted;
}

/** Stops a run that this console has begun: requests under way are finished, the rest waits. */
export function stopRun(context: ConsoleContext, runId: number): void {
  BEGUN.get(context)?.get(runId)?.stop.abort();
}

/** What went wrong in a run that this console has begun. It may quote a file. */
export function troublesOf(context: ConsoleContext, runId: number): readonly string[] {
  return BEGUN.get(context)?.get(runId)?.troubles ?? [];
}

/** A run that a person or a program starts; its number is reported as soon as it has one. @param request what differs from `WHOLE_RUN`. */
export function runWork(
  context: ConsoleContext,
  request: Partial<RunRequest>,
  who: Decider,
): Work<{ readonly run: number }, Awaited<ReturnType<typeof carryOut>>> {
  return {
    name: 'run',
    async carryOut(stop, report) {
      const { interrupt, begun, ended } = stoppable(context, stop);
      const noted = async (run: number) => {
        begun(run);
        report({ run });
        return null;
      };
      try {
        const whole = { ...WHOLE_RUN, ...request, begun: noted };
        const result = await carryOut(context.actionContext(), whole, who, { interrupt, ...UNWATCHED });
        ended(result.troubles.map(({ message }) => message));
        return result;
      } catch (error) {
        ended([error instanceof OperatorError ? error.message : 'see the log']);
        throw error;
      }
    },
  };
}
