import { carryOut as carryOutRerun, type RerunPlan } from '../../actions/rerun.js';
import { NO_LISTENER, type RunRequest, WHOLE_RUN } from '../../actions/run/request.js';
import { carryOut } from '../../actions/run.js';
import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import type { BegunRerun } from '../../documents/run.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { startLine } from '../../schedule/start-line.js';
import type { ConsoleContext, StartedLine } from './console-context.js';

/** Starts a run for a person or a program. @param request what differs from `WHOLE_RUN`. */
export function beginRun(context: ConsoleContext, request: Partial<RunRequest>, who: Decider) {
  return begin<{ readonly run: number }, Awaited<ReturnType<typeof carryOut>>>(
    context,
    'run',
    (interrupt, onStart) => {
      const noteRun = async (run: number) => {
        onStart({ run });
        return null;
      };
      const whole = { ...WHOLE_RUN, ...request, onStart: noteRun };
      return carryOut(context.actionContext(), whole, who, { interrupt, ...NO_LISTENER });
    },
    ({ troubles }) => troubles,
  );
}

/** Carries out a planned rerun. It has started once its rows are waiting again. */
export function beginRerun(
  context: ConsoleContext,
  planned: RerunPlan,
  who: Decider,
  because: string | null,
) {
  return begin<BegunRerun, Awaited<ReturnType<typeof carryOutRerun>>>(
    context,
    'rerun',
    (interrupt, onStart) =>
      carryOutRerun(context.actionContext(), planned, who, because, {
        interrupt,
        ...NO_LISTENER,
        onMoved: (moved, decision, run) => onStart({ decision, run, moved }),
      }),
    ({ run }) => run.troubles,
  );
}

/** Runs a line of the schedule now, in the background. */
export function beginLine(context: ConsoleContext, entry: ScheduleConfig, who: Decider): void {
  const job = jobName(entry);
  const facts = { job, who: who.name, startedAt: isoFromMs(context.actionContext().clock.nowMs()) };
  const note = (outcome: StartedLine['outcome']) =>
    void context.started.lines.set(job, { ...facts, outcome });
  note(null);
  context.inBackground(job, async (ends) => {
    const stop = new AbortController();
    const onStart = (run: number) => void context.started.runs.set(run, { stop, troubles: [] });
    const interrupt = AbortSignal.any([ends, stop.signal]);
    try {
      note(await startLine(context.actionContext(), { entry, who, stop: interrupt, onStart }));
    } catch (error) {
      note({ failed: wordsOf(error) });
      throw error;
    }
  });
}

/**
 * Starts a run that continues after its request has ended, and that a person can stop. @param carryOut calls `onStart` once the run
 * has its number. @returns what `onStart` received, and the run's end. An earlier failure goes to the caller, a later one to the log too.
 */
function begin<First extends { readonly run: number }, Done>(
  context: ConsoleContext,
  name: string,
  carryOut: (interrupt: AbortSignal, onStart: (first: First) => void) => Promise<Done>,
  troublesIn: (done: Done) => readonly { readonly message: string }[],
): Promise<{ readonly first: First; readonly done: Promise<Done> }> {
  const { runs } = context.started;
  return new Promise((resolve, reject) => {
    context.inBackground(name, async (ends) => {
      const stop = new AbortController();
      let run: number | null = null;
      const done = carryOut(AbortSignal.any([ends, stop.signal]), (first) => {
        run = first.run;
        runs.set(run, { stop, troubles: [] });
        resolve({ first, done });
      });
      try {
        const troubles = troublesIn(await done).map(({ message }) => message);
        if (run !== null) runs.set(run, { stop, troubles });
        reject(ENDED);
      } catch (error) {
        reject(error);
        if (run === null) return;
        runs.set(run, { stop, troubles: [wordsOf(error)] });
        throw error;
      }
    });
  });
}

const ENDED = errorsOf('begin a run')(
  'the console',
  'the console ended before anything was begun',
  'Try again once it runs.',
  { exit: 'unavailable' },
);

function wordsOf(error: unknown): string {
  return error instanceof OperatorError ? error.message : 'see the log';
}
