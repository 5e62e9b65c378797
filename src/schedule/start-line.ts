import type { ActionContext } from '../actions/context.js';
import { UNWATCHED, WHOLE_RUN } from '../actions/run/request.js';
import { carryOut } from '../actions/run.js';
import { slotNow, workOnSlot } from '../actions/service/jobs.js';
import type { ScheduleConfig } from '../config/schema.js';
import { jobName } from '../config/values/job-name.js';
import { msFromIso } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { childProgram } from './child-program.js';
import { performer } from './perform.js';
import type { ServiceEvent } from './service-event.js';

/**
 * Does the work of a line of the schedule now, once, as the service does it at the line's times, which stay as they are; a run
 * also delivers, because no service may be running. Throws OperatorError while another process works on the line, and with the
 * first failure of its items, once all were tried.
 * @param stop ends it early.
 */
export async function startLine(
  context: ActionContext,
  entry: ScheduleConfig,
  who: Decider,
  stop: AbortSignal,
): Promise<void> {
  const slot = await slotNow(context, jobName(entry), who);
  const failures: unknown[] = [];
  const listen = (event: ServiceEvent) => {
    if (event.kind === 'failed') failures.push(event.error);
  };
  const perform = performer(
    context,
    {
      watched: (_what, work) => work(),
      takeIn: (sources) =>
        carryOut(context, { ...WHOLE_RUN, sources }, who, { interrupt: stop, ...UNWATCHED }),
      command: (args) => childProgram([...args, '--workspace', context.paths.root], stop),
    },
    stop,
    listen,
  );
  const due = { atMs: msFromIso(slot.slotAt), sinceMs: msFromIso(slot.sinceAt), missed: slot.missed };
  const worked = await workOnSlot(context, slot, async (lost) => {
    const ending = await perform(entry, due, lost);
    return { result: ending, ending };
  });
  if (worked.kind === 'elsewhere') {
    throw new OperatorError({
      operation: 'start a line of the schedule',
      subject: slot.job,
      message: `process ${worked.pid} is working on it`,
      hint: 'Wait for its end.',
    });
  }
  if (failures.length > 0) throw failures[0];
}
