import { scheduleStarted } from '../actions/run/schedule-started.js';
import type { ScheduleConfig } from '../config/schema.js';
import { isoFromMs } from '../domain/clock.js';
import { OperatorError } from '../domain/operator-error.js';
import { lastingOutages, outageSubject } from '../report/status/outages.js';
import { type Performed, performEntry } from '../schedule/perform-entry.js';
import { runSchedule } from '../schedule/run-schedule.js';
import type { Answer, Call } from './command.js';
import { describeFailure } from './describe-failure.js';
import { explained } from './explained.js';
import { logProgress } from './log-progress.js';
import { createLogger } from './logger.js';

/** Carries `registrar schedule` out. */
export async function answer({ io, options, interrupt, who, open }: Call): Promise<Answer> {
  const context = await open();
  const { schedule } = context.config;
  if (schedule.length === 0) throw nothingScheduled();
  const logger = createLogger(io, { ...options, verbose: !options.quiet });
  const watch = { interrupt: interrupt.signal, ...logProgress(logger) };
  const scheduler = { ...who, door: 'schedule' } as const;
  await scheduleStarted(context);
  logger.info({ entries: schedule.length, pid: process.pid }, 'schedule started');
  const perform = (entry: ScheduleConfig) =>
    performEntry(context, entry, scheduler, watch, (performed) => logPerformed(performed, logger)).catch(
      async (error) => {
        throw await explained(context, error);
      },
    );
  await runSchedule(schedule, perform, interrupt.signal, (event) => {
    if (event.kind === 'failed') logger.error({ cron: event.cron }, describeFailure(event.error).text);
    else logger.debug(event, `schedule: ${event.kind}`);
  });
  logger.info('schedule ended');
  const ended = isoFromMs(context.clock.nowMs());
  return { document: () => ({ ended }), text: () => '', exit: 'interrupted' };
}

function logPerformed(performed: Performed, logger: ReturnType<typeof createLogger>): void {
  if (performed.kind === 'report') {
    const { folder, since } = performed;
    logger.info({ folder, since }, 'report written');
    return;
  }
  const { runId, exit, report, kept, pushes, troubles } = performed.result;
  const { rows, dispositions, states, attention, balanced } = report;
  const counts = { rows, dispositions, states, attention, balanced };
  logger.info({ run: runId, exit, ...counts, reportFolder: kept?.folder ?? null, pushes }, 'run ended');
  for (const { reason, remedy, ...outage } of lastingOutages(report)) {
    logger.error({ run: runId, ...outage, hint: remedy }, `${outageSubject(outage)}: ${reason}`);
  }
  for (const { path, reason, remedy } of report.untaken ?? []) {
    logger.warn({ path, remedy }, `not taken: ${reason}`);
  }
  for (const trouble of troubles) logger.error({ hint: trouble.hint }, trouble.message);
}

function nothingScheduled(): OperatorError {
  return new OperatorError({
    operation: 'start the schedule',
    subject: 'schedule',
    message: 'registrar.yaml has no schedule',
    hint: 'Add one, such as: schedule: [{ cron: "*/15 * * * *", do: [run] }]',
  });
}
