import { type RunRequest, UNWATCHED, WHOLE_RUN } from '../../actions/run/request.js';
import { carryOut } from '../../actions/run.js';
import type { Decider } from '../../domain/decider.js';
import type { ConsoleContext } from './console-context.js';
import type { Work } from './going-on.js';

/** The runs under way that this console has begun, by their numbers, each with what ends it. */
const UNDER_WAY = new WeakMap<ConsoleContext, Map<number, AbortController>>();

/**
 * Lets a person stop a run that this console has begun. @param stop ends it with the console. @returns the signal for the run, and
 * what to call once it has its number and once it has ended.
 */
export function stoppable(context: ConsoleContext, stop: AbortSignal) {
  const runs = UNDER_WAY.get(context) ?? new Map<number, AbortController>();
  UNDER_WAY.set(context, runs);
  const own = new AbortController();
  let number: number | null = null;
  return {
    interrupt: AbortSignal.any([stop, own.signal]),
    begun(runId: number) {
      number = runId;
      runs.set(runId, own);
    },
    ended: () => number !== null && runs.delete(number),
  };
}

export function mayStop(context: ConsoleContext, runId: number): boolean {
  return UNDER_WAY.get(context)?.get(runId)?.signal.aborted === false;
}

/** Stops a run that this console has begun: requests under way are finished, the rest waits. */
export function stopRun(context: ConsoleContext, runId: number): void {
  UNDER_WAY.get(context)?.get(runId)?.abort();
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
        return await carryOut(context.actionContext(), whole, who, { interrupt, ...UNWATCHED });
      } finally {
        ended();
      }
    },
  };
}
