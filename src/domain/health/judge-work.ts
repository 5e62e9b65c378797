import type { SlotEnding } from '../process/job.js';
import type { RunEnd } from '../process/run.js';
import { countOf } from '../text/count-of.js';
import { type Fault, finding, type HealthFinding, type HealthPart, WORKSPACE } from './health.js';

/** @param mistakes of registrar.yaml, read from the disk now. */
export function configurationFindings([first, ...others]: readonly string[]): HealthFinding[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` And ${countOf(others.length, 'more mistake')}.`;
  return [
    finding('configuration', WORKSPACE, 'failed', {
      code: 'configuration-invalid',
      message: `registrar.yaml can't be used: ${first}${more}`,
      remedy:
        'Correct it: a running service keeps the settings that it has read before, and nothing else starts.',
      exit: 'usage',
    }),
  ];
}

/** What registrar.yaml pauses. @param because as registrar.yaml has it; undefined: it isn't paused. */
export function pausedFindings(
  part: keyof typeof PAUSED,
  subject: string,
  because: string | undefined,
): HealthFinding[] {
  if (because === undefined) return [];
  return [
    finding(part, subject, 'degraded', {
      code: 'paused',
      message: `${PAUSED[part]} ${subject} is paused: ${because}.`.replace(/\.\.$/, '.'),
      remedy: 'To resume it, remove paused from it in registrar.yaml, or on the page Settings.',
    }),
  ];
}

const PAUSED = { file: 'Source', environment: 'Environment', schedule: 'The line of the schedule' } as const;

/** While a part is paused, these parts have no findings. */
export const PAUSED_PARTS: Readonly<Partial<Record<HealthPart, readonly HealthPart[]>>> = {
  file: ['file'],
  environment: ['environment', 'deadline'],
  schedule: ['schedule'],
};

/** @param unbalanced the latest run and the number of files that don't balance; null: the books balance. */
export function booksFindings(
  unbalanced: { readonly run: number | null; readonly files: number } | null,
): HealthFinding[] {
  if (unbalanced === null) return [];
  const { run, files } = unbalanced;
  const where = [
    ...(run === null ? [] : [`run ${run}`]),
    ...(files === 0 ? [] : [countOf(files, 'file')]),
  ].join(' and ');
  return [
    finding('books', WORKSPACE, 'failed', {
      code: 'unbalanced',
      message: `The books don't balance (${where}).`,
      remedy: 'Keep the ledger unchanged, and check the rows that registrar report names.',
      exit: 'unbalanced',
    }),
  ];
}

/** Signed on, and not off (null), or the last one that did. */
interface Service {
  readonly pid: number;
  readonly host: string;
  readonly seenAt: string;
  readonly stoppedAt: string | null;
  readonly isAlive: boolean;
}

interface ServiceFacts {
  readonly services: readonly Service[];
  /** By lines of the schedule, or a unit of systemd; null: none is expected. */
  readonly expectedBy: 'schedule' | 'unit' | null;
  readonly latestRun: { readonly end: RunEnd; readonly at: string } | null;
  /** Files in the inboxes. */
  readonly waiting: number;
}

export function serviceFindings(facts: ServiceFacts): HealthFinding[] {
  const { services, expectedBy, latestRun, waiting } = facts;
  const failed = (fault: Fault) => [finding('service', WORKSPACE, 'failed', fault)];
  if (services.some(({ isAlive }) => isAlive)) return [];
  const files = waiting === 0 ? '' : `; ${countOf(waiting, 'file waits', 'files wait')} in the inboxes`;
  const gone = services.find(({ stoppedAt }) => stoppedAt === null);
  if (gone !== undefined) {
    return failed({
      code: 'service-gone',
      since: gone.seenAt,
      message: `No service is running: process ${gone.pid} on ${gone.host} ended without shutting down${files}.`,
      remedy: 'Start registrar schedule again, and check its log and the system log for why it ended.',
    });
  }
  if (expectedBy !== null) {
    const isScheduled = expectedBy === 'schedule';
    const why = isScheduled ? 'registrar.yaml has a schedule' : 'its systemd unit is enabled';
    return failed({
      code: services.length === 0 ? 'service-missing' : 'service-stopped',
      since: services[0]?.stoppedAt,
      message: `No service is running, although ${why}${files}.`,
      remedy: isScheduled
        ? 'Start registrar schedule, or remove schedule from registrar.yaml where cron starts the runs.'
        : 'Start the unit, or disable it.',
    });
  }
  if (latestRun?.end !== 'error' && latestRun?.end !== 'died') return [];
  return failed({
    code: 'run-failed',
    since: latestRun.at,
    message: 'The latest run ended with an error.',
    remedy: 'Read its output, then start it again: registrar run.',
  });
}

/** @param latest slot of the line; null: none was worked on. @param overdueSince of several overdue slots the first; null: none. */
export function* lineFindings(
  job: string,
  latest: { readonly slotAt: string; readonly ending: SlotEnding | null } | null,
  overdueSince: string | null,
): Generator<HealthFinding> {
  const failed = (code: Fault['code'], since: string, what: string) =>
    finding('schedule', job, 'failed', {
      code,
      since,
      message: `The line "${job}" of the schedule ${what}.`,
      remedy: 'See the log of registrar schedule.',
    });
  if (latest?.ending === 'died')
    yield failed('line-died', latest.slotAt, 'is stopped: processes died while they ran it');
  if (latest?.ending === 'failed') yield failed('line-failed', latest.slotAt, 'failed');
  if (overdueSince !== null) yield failed('line-overdue', overdueSince, 'is overdue');
}

/** A decision that no living process carries out. */
export function decisionFinding({
  decisionId,
  kind,
  madeAt,
}: {
  readonly decisionId: number;
  readonly kind: string;
  readonly madeAt: string;
}): HealthFinding {
  const isRestore = kind === 'restore';
  return finding('decision', WORKSPACE, 'degraded', {
    code: isRestore ? 'restore-open' : `decision-interrupted:${decisionId}`,
    since: madeAt,
    message: isRestore
      ? 'A restore is not finished: new rows that were completed before it are held.'
      : `Decision ${decisionId} (${kind}) is carried out in part: its process died.`,
    remedy: isRestore
      ? 'Review what was lost, then finish it: registrar restore --finish.'
      : 'The next registrar run, or a service, finishes it: start one.',
  });
}

/** @param error the end of a sentence about the channel. */
export function channelFinding(
  channel: string,
  { since, tries, error }: { readonly since: string; readonly tries: number; readonly error: string },
): HealthFinding {
  return finding('channel', channel, 'failed', {
    code: 'channel-failing',
    since,
    message: `Notifications through ${channel} fail: it ${error} (${countOf(tries, 'try', 'tries')}).`,
    remedy: `Unsent notifications are kept and sent again. Correct the channel, then test it: registrar alerts test --channel ${channel}.`,
  });
}
