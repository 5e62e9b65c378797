import { agreeing, countOf } from '../text/count-of.js';
import type {
  ChannelFacts,
  DecisionFacts,
  Fault,
  HealthFacts,
  LineFacts,
  PausedFacts,
  WorkFacts,
} from './facts.js';
import {
  finding,
  HEALTH_PARTS,
  type Health,
  type HealthFinding,
  type HealthPart,
  type HealthSubject,
  healthFrom,
} from './health.js';
import { environmentFindings, outageFinding } from './judge-delivery.js';
import { inboxFindings, sourceFindings } from './judge-files.js';

const WORKSPACE = 'registrar';

export function judgeHealth(facts: HealthFacts): Health {
  const { work } = facts;
  const all = [
    ...configurationFindings(facts.configuration),
    ...(['ledger', 'disk'] as const).flatMap((part) => {
      const fault = facts[part];
      return fault === null ? [] : finding(part, WORKSPACE, 'failed', { ...fault, exit: 'io' });
    }),
    ...facts.inboxes.flatMap((inbox) => [...inboxFindings(inbox, facts)]),
    ...(work === null ? [] : workFindings(work, facts)),
  ];
  const isResting = ({ part, subject }: HealthFinding) =>
    facts.paused.some((one) => one.subject === subject && RESTING[one.part].includes(part));
  const findings = [...facts.paused.map(pausedFinding), ...all.filter((one) => !isResting(one))];
  const unknown = (work?.environments ?? []).flatMap(({ environment, deadline }) =>
    deadline !== null && !deadline.isMissed && deadline.lateByMs === null
      ? [{ part: 'deadline' as const, subject: environment }]
      : [],
  );
  return healthFrom(findings, subjectsOf(facts), unknown);
}

/** Nothing is said about these parts while something rests. */
const RESTING: Readonly<Record<PausedFacts['part'], readonly HealthFinding['part'][]>> = {
  file: ['file'],
  environment: ['environment', 'deadline'],
  schedule: ['schedule'],
};

function pausedFinding({ part, subject, because }: PausedFacts): HealthFinding {
  const what = { file: 'Source', environment: 'Environment', schedule: 'The line of the schedule' }[part];
  return finding(part, subject, 'degraded', {
    code: 'paused',
    message: `${what} ${subject} is paused: ${because}.`.replace(/\.\.$/, '.'),
    remedy: 'To resume it, remove paused from it in registrar.yaml, or on the page Settings.',
  });
}

function workFindings(work: WorkFacts, facts: HealthFacts): HealthFinding[] {
  return [
    ...booksFindings(work),
    ...serviceFindings(work, facts),
    ...work.lines.flatMap((line) => [...lineFindings(line)]),
    ...work.backups.map(({ subject, ...fault }) => finding('backup', subject, 'failed', fault)),
    ...work.sources.flatMap((source) => [...sourceFindings(source)]),
    ...work.outages.map(outageFinding),
    ...work.environments.flatMap((environment) => [...environmentFindings(environment)]),
    ...work.stranded.map(({ environment, rows }) =>
      finding('environment', environment, 'failed', {
        code: 'environment-missing',
        message: `${countOf(rows, 'row is', 'rows are')} waiting for environment ${environment}, which registrar.yaml doesn't have.`,
        remedy: 'Put the environment back: its name is part of what was staged.',
      }),
    ),
    ...work.decisions.filter(({ isInterrupted }) => isInterrupted).map(decisionFinding),
    ...work.channels.map(channelFinding),
  ];
}

const OWN_PARTS = ['configuration', 'ledger', 'disk', 'books', 'service', 'backup', 'decision'] as const;

function subjectsOf({ inboxes, work }: HealthFacts): HealthSubject[] {
  const of = (subjects: readonly string[], ...parts: HealthPart[]) =>
    parts.flatMap((part) => subjects.map((subject) => ({ part, subject })));
  const { lines = [], environments = [] } = work ?? {};
  const jobs = lines.map(({ job }) => job);
  const sources = inboxes.map(({ source }) => source);
  const places = environments.map(({ environment }) => environment);
  const subjects = [
    ...of([WORKSPACE], ...OWN_PARTS),
    ...of(jobs, 'schedule'),
    ...of(sources, 'inbox', 'file'),
    ...of(places, 'environment', 'deadline', 'quota'),
  ];
  return subjects.sort((a, b) => HEALTH_PARTS.indexOf(a.part) - HEALTH_PARTS.indexOf(b.part));
}

function configurationFindings([first, ...others]: readonly string[]): HealthFinding[] {
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

function booksFindings({ unbalanced }: WorkFacts): HealthFinding[] {
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
      remedy: 'Keep the ledger as it is, and look at the rows that registrar report names.',
      exit: 'unbalanced',
    }),
  ];
}

function serviceFindings(work: WorkFacts, { inboxes }: HealthFacts): HealthFinding[] {
  const { services, serviceExpectedBy, latestRun } = work;
  const failed = (fault: Fault) => [finding('service', WORKSPACE, 'failed', fault)];
  if (services.some(({ isAlive }) => isAlive)) return [];
  const waiting = inboxes.reduce((sum, { arrivedAt }) => sum + arrivedAt.length, 0);
  const files =
    waiting === 0 ? '' : `; ${countOf(waiting, 'file')} ${agreeing(waiting, 'waits', 'wait')} in the inboxes`;
  const gone = services.find(({ stoppedAt }) => stoppedAt === null);
  if (gone !== undefined) {
    return failed({
      code: 'service-gone',
      since: gone.seenAt,
      message: `No service is running: process ${gone.pid} on ${gone.host} is gone and didn't sign off${files}.`,
      remedy: 'Start registrar schedule again, and see in its log and in that of the system why it ended.',
    });
  }
  if (serviceExpectedBy !== null) {
    const isScheduled = serviceExpectedBy === 'schedule';
    const why = isScheduled ? 'registrar.yaml has a schedule' : 'its systemd unit is enabled';
    return failed({
      code: services.length === 0 ? 'service-missing' : 'service-stopped',
      since: services[0]?.stoppedAt ?? null,
      message: `No service is running, although ${why}${files}.`,
      remedy: isScheduled
        ? 'Start registrar schedule, or remove schedule from registrar.yaml where cron starts the runs.'
        : 'Start the unit, or disable it.',
    });
  }
  if (latestRun?.end === 'error' || latestRun?.end === 'died') {
    return failed({
      code: 'run-failed',
      since: latestRun.at,
      message: 'The latest run broke off with an error.',
      remedy: 'Look at what it printed, then start it again: registrar run.',
    });
  }
  return [];
}

function* lineFindings({ job, latest, overdueSince }: LineFacts): Generator<HealthFinding> {
  const line = `The line "${job}" of the schedule`;
  const remedy = 'See the log of registrar schedule.';
  const { at: since = null, hasDied = false, hasFailed = false } = latest ?? {};
  if (hasDied) {
    const message = `${line} is stopped: processes died while they ran it.`;
    yield finding('schedule', job, 'failed', { code: 'line-died', since, message, remedy });
  } else if (hasFailed) {
    const message = `${line} failed.`;
    yield finding('schedule', job, 'failed', { code: 'line-failed', since, message, remedy });
  }
  if (overdueSince !== null) {
    const message = `${line} is overdue.`;
    yield finding('schedule', job, 'failed', { code: 'line-overdue', since: overdueSince, message, remedy });
  }
}

function decisionFinding({ decisionId, kind, madeAt }: DecisionFacts): HealthFinding {
  const isRestore = kind === 'restore';
  return finding('decision', WORKSPACE, 'degraded', {
    code: isRestore ? 'restore-open' : `decision-interrupted:${decisionId}`,
    since: madeAt,
    message: isRestore
      ? 'A restore is not finished: new rows that were completed before it are held.'
      : `Decision ${decisionId} (${kind}) is carried out in part: its process died.`,
    remedy: isRestore
      ? 'Go through what was lost, then finish it: registrar restore --finish.'
      : 'The next registrar run, or a service, finishes it: start one.',
  });
}

function channelFinding({ channel, since, tries, error }: ChannelFacts): HealthFinding {
  return finding('channel', channel, 'failed', {
    code: 'channel-failing',
    since,
    message: `Notifications through ${channel} fail: it ${error} (${countOf(tries, 'try', 'tries')}).`,
    remedy: `What it hasn't taken is kept and sent again. Correct it, then try it: registrar alerts test --channel ${channel}.`,
  });
}
