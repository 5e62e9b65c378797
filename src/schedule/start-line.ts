import type { ActionContext } from '../actions/context.js';
import { NO_LISTENER, WHOLE_RUN } from '../actions/run/request.js';
import { carryOut } from '../actions/run.js';
import { runJobNow } from '../actions/service/jobs.js';
import type { ScheduleConfig } from '../config/schema.js';
import { jobName } from '../config/values/job-name.js';
import { msFromIso } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { childProgram } from './child-program.js';
import { type ItemWork, performer } from './perform.js';
import type { ServiceEvent } from './service-event.js';

export interface StartedLine {
  readonly entry: ScheduleConfig;
  readonly who: Decider;
  /** Ends the work early. */
  readonly stop: AbortSignal;
  /** Called with the number of its run. */
  readonly onStart: (runId: number) => void;
}

/**
 * Does the work of a line of the schedule now, once, as the service does it at the line's times, which stay as they are. Where no service
 * is running, a run also delivers. Throws OperatorError while another process works on the line.
 * @returns the number of its last run, null where it had none, and sentences why some of it was not done.
 */
export async function startLine(context: ActionContext, { entry, who, stop, onStart }: StartedLine) {
  return runJobNow(context, jobName(entry), who, async ({ sinceAt, isServed }, lost) => {
    const troubles: string[] = [];
    const bugs: unknown[] = [];
    let run: number | null = null;
    const importFiles = async (sources: readonly string[]) => {
      const noteRun = async (runId: number) => {
        run = runId;
        onStart(runId);
        return null;
      };
      const request = { ...WHOLE_RUN, sources, push: !isServed, onStart: noteRun };
      const result = await carryOut(context, request, who, { interrupt: stop, ...NO_LISTENER });
      troubles.push(...result.troubles.map(({ message }) => message));
      return result;
    };
    const work: ItemWork = {
      watched: (_what, work) => work(),
      importFiles,
      command: (args) => childProgram([...args, '--workspace', context.paths.root], stop),
    };
    const listen = (event: ServiceEvent) => {
      if (event.kind !== 'failed') return;
      if (event.error instanceof OperatorError) troubles.push(event.error.message);
      else bugs.push(event.error);
    };
    const perform = performer({ ...context, stop, listen }, work);
    const slot = { atMs: context.ledger.clock.nowMs(), sinceMs: msFromIso(sinceAt), missed: 0 };
    const exit = await perform(entry, slot, lost);
    if (bugs.length > 0) throw bugs[0];
    return { runId: run, exit, troubles };
  });
}
