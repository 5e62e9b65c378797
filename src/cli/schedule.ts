import type { Command } from 'commander';
import { run } from '../actions/run.js';
import type { ScheduleConfig } from '../config/schema.js';
import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { schedulerStarted } from '../ledger/liveness.js';
import { requireInPlace } from '../ledger/open.js';
import { lastingOutages, outageSubject } from '../report/outages.js';
import { reconcile } from '../report/report.js';
import { RUN_FORMATS, writeReport } from '../report/write-report.js';
import { runSchedule } from '../schedule/run-schedule.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import { accessFor, READING } from '../workspace/access.js';
import type { Finish, Interrupt } from './command.js';
import { describeFailure } from './describe-failure.js';
import { type CommonOptions, type Io, print } from './io.js';
import { createLogger } from './logger.js';
import { createProgress } from './progress.js';
import { explained, type Session, withSession } from './session.js';
import { whoDecides } from './who-decides.js';

/** A scheduled report is about this long. */
const REPORTED_MS = 86_400_000;

/** `registrar schedule`: the daemon. */
export function addSchedule(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('schedule')
    .description('stay and work by the schedule of registrar.yaml; SIGTERM or Ctrl-C ends it')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      await withSession(io, options, async (session) => {
        const { schedule } = session.config;
        if (schedule.length === 0) throw nothingScheduled();
        const logger = createLogger(io, { ...options, verbose: !options.quiet });
        const progress = createProgress(
          { ...io, isTerminal: false },
          options,
          logger,
          session.config.environments,
          session.clock,
        );
        schedulerStarted(session.ledger);
        logger.info({ entries: schedule.length, pid: process.pid }, 'schedule started');
        const started = { ...session, who: { name: whoDecides(io).name, door: 'schedule' as const } };
        const perform = (entry: ScheduleConfig) =>
          performEntry(started, entry, interrupt, progress, logger).catch((error) => {
            throw explained(session.ledger, error);
          });
        await runSchedule(schedule, perform, interrupt.signal, (event) => {
          if (event.kind === 'failed') logger.error({ cron: event.cron }, describeFailure(event.error).text);
          else logger.debug(event, `schedule: ${event.kind}`);
        });
        logger.info('schedule ended');
        print(
          io,
          options,
          () => ({ ended: isoFromMs(session.clock.nowMs()) }),
          () => '',
        );
        finish('interrupted');
      });
    });
}

async function performEntry(
  session: Session & { readonly who: Decider },
  entry: ScheduleConfig,
  interrupt: Interrupt,
  progress: ReturnType<typeof createProgress>,
  logger: ReturnType<typeof createLogger>,
): Promise<void> {
  const { ledger, clock, paths, config } = session;
  for (const what of entry.do) {
    if (what === 'run') {
      const result = await run({
        ...session,
        trigger: 'cron',
        sources: entry.sources,
        push: true,
        interrupt: interrupt.signal,
        maxDurationMs: null,
        onStage: progress.onStage,
        onPush: progress.onPush,
      });
      const { runId, exit, report, reportFolder, pushes } = result;
      const { rows, dispositions, states, attention, balanced } = report;
      const counts = { rows, dispositions, states, attention, balanced };
      logger.info({ run: runId, exit, ...counts, reportFolder, pushes }, 'run ended');
      for (const { reason, remedy, ...outage } of lastingOutages(report)) {
        logger.error({ run: runId, ...outage, hint: remedy }, `${outageSubject(outage)}: ${reason}`);
      }
      for (const { path, reason, remedy } of report.untaken ?? []) {
        logger.warn({ path, remedy }, `not taken: ${reason}`);
      }
      for (const trouble of result.troubles) logger.error({ hint: trouble.hint }, trouble.message);
    } else {
      requireInPlace(ledger);
      const since = isoFromMs(clock.nowMs() - REPORTED_MS);
      const { sources, environments } = config;
      const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
      const report = reconcile(ledger, { since }, { environments, untaken });
      const folder = await writeReport(ledger, report, paths.reports, RUN_FORMATS, {
        config,
        isMasked: true,
        access: accessFor(config.reports.group, READING),
      });
      logger.info({ folder, since }, 'report written');
    }
  }
}

function nothingScheduled(): OperatorError {
  return new OperatorError({
    operation: 'start the schedule',
    subject: 'schedule',
    message: 'registrar.yaml has no schedule',
    hint: 'Add one, such as: schedule: [{ cron: "*/15 * * * *", do: [run] }]',
  });
}
