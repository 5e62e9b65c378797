import type { SentNotifications } from '../actions/alerts/reconcile-and-notify.js';
import { type ActionContext, reconfigured } from '../actions/context.js';
import { type RunRequest, WHOLE_RUN } from '../actions/run/request.js';
import type { RunResult } from '../actions/run/run-lifecycle.js';
import { carryOut as run } from '../actions/run.js';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { worstExit } from '../domain/operator-error.js';
import { isPassing } from '../domain/process/io-hints.js';
import { lastingOutages, outageSubject } from '../report/status/outages.js';
import { childProgram } from '../schedule/child-program.js';
import { performer } from '../schedule/perform.js';
import { retryUntilStopped } from '../schedule/retry-until-stopped.js';
import { runService, type Work } from '../schedule/service.js';
import type { ServiceListener } from '../schedule/service-event.js';
import type { Answer, Call } from './command.js';
import { describeFailure } from './describe-failure.js';
import { explainError } from './explain-error.js';
import type { serve } from './facts.js';
import { logProgress } from './log-progress.js';
import { createLogger, type Logger } from './logger.js';
import { type MonitoredJobs, monitoredJobs } from './monitored-jobs.js';
import { reloader, serveConsoleAndMonitor } from './serve-console.js';

function logService(logger: Logger): ServiceListener {
  return (event) => {
    const { kind, ...facts } = event;
    switch (event.kind) {
      case 'ran':
        return logRun(event.result, logger);
      case 'failed': {
        const { job, againMs } = event;
        return logger.error({ job, againMs }, describeFailure(event.error).text);
      }
      case 'done':
        return logger.info({ job: event.job, ...event.facts }, `${event.what} done`);
      case 'decision-finished': {
        const { decisionId, kind, trouble } = event.decision;
        logger.info({ decision: decisionId, kind }, 'finished the decision of a process that had died');
        if (trouble !== null) logger.error({ hint: trouble.hint }, trouble.message);
        return;
      }
      case 'notified':
        return logSent(event.sent, logger);
      default:
        if (event.kind === 'slot-begun' && event.missed > 0)
          return logger.warn(facts, 'slots were missed, and this one makes up for them');
        return logger.debug(facts, kind.replace('-', ' '));
    }
  };
}

/** Kinds and subjects alone: the sentences are for the channels. */
function logSent({ opened, recovered, channels }: SentNotifications, logger: Logger): void {
  for (const { kind, subject, code } of opened) logger.warn({ kind, subject, code }, 'alert opened');
  for (const { kind, subject, code } of recovered) logger.info({ kind, subject, code }, 'alert is over');
  for (const { channel, alerts, error } of channels) {
    if (error === null) logger.info({ channel, alerts }, 'notifications sent');
    else logger.error({ channel, alerts }, `alert channel ${channel} ${error}; it is tried again`);
  }
}

function logRun({ runId, exit, report, written, pushes, troubles }: RunResult, logger: Logger): void {
  const { rows, dispositions, states, attention, balanced } = report;
  const counts = { rows, dispositions, states, attention, balanced };
  logger.info({ run: runId, exit, ...counts, reportFolder: written?.folder ?? null, pushes }, 'run ended');
  for (const { reason, remedy, ...outage } of lastingOutages(report)) {
    logger.error({ run: runId, ...outage, hint: remedy }, `${outageSubject(outage)}: ${reason}`);
  }
  for (const { path, reason, remedy } of report.unmatched ?? []) {
    logger.warn({ path, remedy }, `not imported: ${reason}`);
  }
  for (const trouble of troubles) logger.error({ hint: trouble.hint }, trouble.message);
}

export async function answer(call: Call<typeof serve.schedule>): Promise<Answer> {
  const { io, options, interrupt } = call;
  const logger = createLogger(io, options, 'info');
  const stop = interrupt.signal;
  let isAsked = false;
  let reload = async () => {
    isAsked = true;
  };
  interrupt.onReload(() => void reload());
  const { clock } = call.workspace();
  const listen = logService(logger);
  const first = await retryUntilStopped(call.open, { clock, stop, listen }, isPassing);
  if (first === null) return ended(clock, logger);
  let context = first;
  let reconfigure = (_: ActionContext) => {};
  // The beat would keep a process alive that could not start, or go on.
  const over = new AbortController();
  const jobs = monitoredJobs(context, logger, over.signal);
  const served = await serveConsoleAndMonitor(
    call,
    { context: () => context, reload: () => reload() },
    jobs,
    logger,
  ).catch((error) => {
    over.abort();
    throw error;
  });

  const readAgain = reloader(call, logger, async (workspace) => {
    context = await reconfigured(context, workspace);
    reconfigure(context);
    await jobs.reconfigured(context);
    await served.renew();
  });
  let reading = jobs.reconfigured(context);
  reload = () => {
    reading = reading.then(readAgain);
    return reading;
  };
  if (isAsked) void reload();
  const onReconfigured = (listener: typeof reconfigure) => {
    reconfigure = listener;
  };
  logger.info({ pid: process.pid }, 'schedule started');
  try {
    await runService(context, workOf(call, jobs, logger, listen), stop, onReconfigured, listen);
    await reading;
  } finally {
    over.abort();
    await served.close();
  }
  return ended(context.clock, logger);
}

function ended(clock: Clock, logger: Logger): Answer {
  logger.info('schedule ended');
  const document = { ended: isoFromMs(clock.nowMs()) };
  return { document: () => document, text: () => '', exit: 'interrupted' };
}

function workOf(
  { who, interrupt }: Call,
  { watched, delivered, deliveryEnd }: MonitoredJobs,
  logger: Logger,
  listen: ServiceListener,
): Work {
  const progress = logProgress(logger);
  const exitOf = ({ exit }: RunResult) => exit;
  const scheduler = { ...who, door: 'schedule' } as const;
  const execute = (context: ActionContext, request: Partial<RunRequest>, over: AbortSignal) =>
    run(context, { ...WHOLE_RUN, trigger: 'cron', leavesResults: true, ...request }, scheduler, {
      interrupt: over,
      ...progress,
    }).catch(async (error) => {
      throw await explainError(context, error);
    });
  /** Ends as a run of cron would, which delivers what it imports: rows that can't be delivered are no success. */
  const importFrom = async (context: ActionContext, sources: readonly string[], over: AbortSignal) => {
    const result = await execute(context, { sources, push: false }, over);
    const own = context.config.sources.filter(({ name }) => sources.length === 0 || sources.includes(name));
    const end = await deliveryEnd([...new Set(own.map(({ environment }) => environment))]);
    return { ...result, exit: worstExit([result.exit, end]) };
  };
  return {
    importFiles: (context, source, over) => watched('run', () => importFrom(context, [source], over), exitOf),
    deliver: (context, environment, over) =>
      delivered(
        environment,
        () => execute(context, { environments: [environment], intake: false }, over),
        exitOf,
      ),
    perform(context) {
      const stop = interrupt.signal;
      const place = ['--workspace', context.paths.root];
      const command = (args: readonly string[]) => childProgram([...args, ...place], stop);
      const importFiles = (sources: readonly string[]) => importFrom(context, sources, stop);
      return performer({ ...context, stop, listen }, { importFiles, command, watched });
    },
  };
}
