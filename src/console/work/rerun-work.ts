import { carryOut, type RerunPlan } from '../../actions/rerun.js';
import { UNWATCHED } from '../../actions/run/request.js';
import type { BegunRerun } from '../../documents/run.js';
import type { Decider } from '../../domain/decider.js';
import type { ConsoleContext } from './console-context.js';
import type { Work } from './going-on.js';
import { stoppable } from './run-work.js';

/** Decides a planned rerun, reports that as soon as its rows wait again, and delivers them. */
export function rerunWork(
  context: ConsoleContext,
  planned: RerunPlan,
  who: Decider,
  because: string | null,
): Work<BegunRerun, Awaited<ReturnType<typeof carryOut>>> {
  return {
    name: 'rerun',
    async carryOut(stop, report) {
      const { interrupt, begun, ended } = stoppable(context, stop);
      try {
        return await carryOut(context.actionContext(), planned, who, because, {
          interrupt,
          ...UNWATCHED,
          onMoved: (moved, decision, run) => {
            begun(run);
            report({ decision, run, moved });
          },
        });
      } finally {
        ended();
      }
    },
  };
}
