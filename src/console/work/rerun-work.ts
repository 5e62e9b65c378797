import { carryOut, type RerunPlan } from '../../actions/rerun.js';
import type { Decider } from '../../domain/decider.js';
import type { Desk } from './desk.js';
import type { Work } from './going-on.js';
import { UNWATCHED } from './unwatched.js';

/** A rerun whose rows wait again, and whose delivery goes on. */
interface BegunRerun {
  readonly decision: number;
  readonly run: number;
  /** Rows that wait again. */
  readonly moved: number;
}

/** Decides a planned rerun, reports that as soon as its rows wait again, and delivers them. */
export function rerunWork(
  desk: Desk,
  planned: RerunPlan,
  who: Decider,
  because: string | null,
): Work<BegunRerun, Awaited<ReturnType<typeof carryOut>>> {
  return {
    name: 'rerun',
    carryOut: (interrupt, report) =>
      carryOut(desk.context(), planned, who, because, {
        interrupt,
        ...UNWATCHED,
        onMoved: (moved, decision, run) => report({ decision, run, moved }),
      }),
  };
}
