import type { Logger } from 'pino';
import type { SentNotifications } from '../actions/alerts/sent-notifications.js';
import type { RunResult } from '../actions/run/envelope.js';
import { lastingOutages, outageSubject } from '../report/status/outages.js';
import type { ServiceListener } from '../schedule/service-event.js';
import { describeFailure } from './describe-failure.js';

/** Logs what the service does. */
export function logService(logger: Logger): ServiceListener {
  return (event) => {
    const { kind, ...facts } = event;
    switch (event.kind) {
      case 'ran':
        return logRun(event.result, logger);
      case 'failed': {
        const { job, againMs } = event;
        return logger.error({ job, againMs }, describeFailure(event.error).text);
      }
      case 'slot-begun':
        if (event.missed > 0) return logger.warn(facts, 'slots were missed, and this one makes up for them');
        return logger.debug(facts, 'slot begun');
      case 'done':
        return logger.info({ job: event.job, ...event.facts }, `${event.what} done`);
      case 'slot-ended':
        return logger.debug(facts, 'slot ended');
      case 'decision-finished': {
        const { decisionId, kind, trouble } = event.decision;
        logger.info({ decision: decisionId, kind }, 'finished the decision of a process that had died');
        if (trouble !== null) logger.error({ hint: trouble.hint }, trouble.message);
        return;
      }
      case 'notified':
        return logSent(event.sent, logger);
      case 'elsewhere':
        return logger.debug(facts, 'another process works on the job');
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

function logRun({ runId, exit, report, kept, pushes, troubles }: RunResult, logger: Logger): void {
  const { rows, dispositions, states, attention, balanced } = report;
  const counts = { rows, dispositions, states, attention, balanced };
  logger.info({ run: runId, exit, ...counts, reportFolder: kept?.folder ?? null, pushes }, 'run ended');
  for (const { reason, remedy, ...outage } of lastingOutages(report)) {
    logger.error({ run: runId, ...outage, hint: remedy }, `${outageSubject(outage)}: ${reason}`);
  }
  for (const { path, reason, remedy } of report.untaken ?? []) {
    logger.warn({ path, remedy }, `not imported: ${reason}`);
  }
  for (const trouble of troubles) logger.error({ hint: trouble.hint }, trouble.message);
}
