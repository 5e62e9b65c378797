import type { Figures } from '../actions/monitor/figures.js';
import { ALERT_KINDS } from '../domain/alerts/alert.js';
import { msFromIso } from '../domain/clock.js';
import type { Health } from '../domain/health/health.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';
import { VERSION } from '../version.js';
import type { JobView } from './jobs-view.js';

/** The facts at the moment of a request for the metrics. */
export interface Observed {
  /** null: the ledger can't be read. */
  readonly figures: Figures | null;
  readonly health: Health;
  readonly jobs: readonly JobView[];
  readonly environments: readonly string[];
  readonly sources: readonly string[];
  readonly nowMs: number;
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric as a scraper sees it. Its name, labels and meaning are in docs/monitoring.md. */
export interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly labels: readonly string[];
  samples(observed: Observed): readonly Sample[];
}

type OfFigures = (figures: Figures, observed: Observed) => readonly Sample[];

/** Every metric of the service beside those of its process; labels are names of registrar.yaml and words of the program. */
export const FAMILIES: readonly Family[] = [
  family(
    'build_info',
    'Always 1; its labels are versions.',
    ['version', 'node', 'sqlite', 'schema'],
    ({ versions }) => [{ labels: { version: VERSION, node: process.versions.node, ...versions }, value: 1 }],
  ),
  {
    name: 'registrar_ready',
    type: 'gauge',
    help: '1 while nothing has failed; as /readyz.',
    labels: [],
    samples: ({ health }) => one(flag(health.state !== 'failed')),
  },
  {
    name: 'registrar_health',
    type: 'gauge',
    help: '0 healthy, 1 degraded, 2 failed, for each part and subject; the label code says what is wrong.',
    labels: ['part', 'subject', 'code'],
    samples: ({ health: { findings, healthy } }) => [
      ...findings.map(({ part, subject, code, state }) =>
        sample({ part, subject, code }, state === 'failed' ? 2 : 1),
      ),
      ...healthy.map(({ part, subject }) => sample({ part, subject, code: '' }, 0)),
    ],
  },
  {
    name: 'registrar_ledger_readable',
    type: 'gauge',
    help: '1 while the ledger can be read; while it is 0, most metrics are missing.',
    labels: [],
    samples: ({ figures }) => one(flag(figures !== null)),
  },
  family(
    'submissions',
    'Records to deliver, and delivered ones, by state; the cause where the state has one.',
    ['environment', 'state', 'cause'],
    ({ submissions }, { environments }) => [
      ...submissions.map(({ environment, state, cause, count }) =>
        sample({ environment, state, cause: cause ?? '' }, count),
      ),
      // A line that begins with the first row would have no rate.
      ...environments.flatMap((environment) =>
        STATES.filter(
          (state) => !submissions.some((is) => is.environment === environment && is.state === state),
        ).map((state) => sample({ environment, state, cause: '' }, 0)),
      ),
    ],
  ),
  family(
    'rows_read_total',
    'Rows read from files, by what staging made of them.',
    ['source', 'disposition'],
    ({ sources }, { sources: configured }) =>
      withMissing(sources, configured).flatMap(({ source, dispositions }) =>
        DISPOSITIONS.map((disposition) => sample({ source, disposition }, dispositions[disposition])),
      ),
    'counter',
  ),
  family(
    'drops_total',
    'Files imported.',
    ['source'],
    ({ sources }, { sources: configured }) =>
      withMissing(sources, configured).map(({ source, drops }) => sample({ source }, drops)),
    'counter',
  ),
  family(
    'drop_last_arrival_timestamp_seconds',
    'When the latest file came in, repeated and refused ones included.',
    ['source'],
    ({ arrivals }) => arrivals.map(({ source, at }) => sample({ source }, seconds(at))),
  ),
  family(
    'invalid_rows',
    'Invalid rows that are neither corrected nor dismissed.',
    ['source'],
    ({ sources }, { sources: configured }) =>
      withMissing(sources, configured).map(({ source, invalidOpen }) => sample({ source }, invalidOpen)),
  ),
  family(
    'files_refused',
    'Refused files that are not closed.',
    ['source'],
    ({ refusedBySource }, { sources }) =>
      [...new Set([...refusedBySource.map(({ source }) => source), ...sources])].map((source) =>
        sample({ source }, refusedBySource.find((one) => one.source === source)?.files ?? 0),
      ),
  ),
  family(
    'results_waiting',
    'Results of files that their senders don’t have yet.',
    ['source'],
    ({ results }, { sources }) =>
      sources.map((source) => sample({ source }, results.filter((one) => one.source === source).length)),
  ),
  family(
    'attempts_total',
    'Requests to the platform that have ended, by what their answer meant.',
    ['environment', 'outcome'],
    ({ answers }) =>
      answers.map(({ environment, outcome, count }) => sample({ environment, outcome }, count)),
    'counter',
  ),
  family('attempts_open', 'Requests that are under way, or whose process died.', [], ({ openAttempts }) =>
    one(openAttempts),
  ),
  family('quota_permits', 'Permits of the quota that are taken now.', ['environment'], ({ environments }) =>
    environments.map(({ environment, quota }) => sample({ environment }, quota.permits)),
  ),
  family('quota_limit', 'Permits for runs per period of the quota.', ['environment'], ({ estimates }) =>
    estimates.map(({ environment, quota }) => sample({ environment }, quota.requests)),
  ),
  family(
    'quota_paused_seconds',
    'How long the quota is still paused by the platform; 0: it is not.',
    ['environment'],
    ({ environments }) =>
      environments.map(({ environment, quota }) => sample({ environment }, quota.pausedForMs / 1_000)),
  ),
  family(
    'environment_up',
    '0 while the environment is known to be unusable.',
    ['environment'],
    ({ environments }) =>
      environments.map(({ environment, isDown }) => sample({ environment }, flag(!isDown))),
  ),
  family(
    'delivering',
    '1 while a process delivers to the environment.',
    ['environment'],
    ({ environments }) =>
      environments.map(({ environment, pushedBy }) => sample({ environment }, flag(pushedBy !== null))),
  ),
  family(
    'oldest_waiting_seconds',
    'How long the oldest of the rows that are next has waited; 0: none waits.',
    ['environment'],
    ({ environments }, { nowMs }) =>
      environments.map(({ environment, waitingSince }) =>
        sample(
          { environment },
          waitingSince === null ? 0 : Math.max(0, nowMs / 1_000 - seconds(waitingSince)),
        ),
      ),
  ),
  family('waiting_requests', 'Requests that deliver the waiting rows.', ['environment'], ({ estimates }) =>
    estimates.map(({ environment, requests }) => sample({ environment }, requests)),
  ),
  family(
    'estimated_end_timestamp_seconds',
    'When the waiting rows will be delivered; missing where none wait or the environment is unusable.',
    ['environment'],
    ({ estimates }) =>
      estimates.flatMap(({ environment, estimatedEnd }) =>
        estimatedEnd === null ? [] : [sample({ environment }, seconds(estimatedEnd))],
      ),
  ),
  family(
    'deliver_by_timestamp_seconds',
    'The deadline of the rows that have waited longest (deliverBy), until they are delivered.',
    ['environment'],
    ({ estimates }) =>
      estimates.flatMap(({ environment, deliverBy }) =>
        deliverBy === null ? [] : [sample({ environment }, seconds(deliverBy.at))],
      ),
  ),
  family(
    'deliver_by_held',
    '0 where the deadline was missed, will be missed, or the end of delivery is unknown.',
    ['environment'],
    ({ estimates }) =>
      estimates.flatMap(({ environment, deliverBy, requests }) =>
        deliverBy === null
          ? []
          : [
              sample(
                { environment },
                flag(!deliverBy.isMissed && (requests === 0 || deliverBy.lateByMs === 0)),
              ),
            ],
      ),
  ),
  family('decisions_open', 'Decisions of people that are not carried out to their end.', [], ({ work }) =>
    one(work.decisions.length),
  ),
  family('alerts_open', 'Open alerts, by kind.', ['kind'], ({ alerts }) =>
    ALERT_KINDS.map((kind) => sample({ kind }, alerts.open.filter((one) => one.kind === kind).length)),
  ),
  ofJobs('job_last_success_timestamp_seconds', 'When the job last succeeded.', ({ lastSuccessAt }) =>
    lastSuccessAt === null ? null : seconds(lastSuccessAt),
  ),
  ofJobs('job_next_timestamp_seconds', 'When the job is due next.', ({ nextAt }) =>
    nextAt === null ? null : seconds(nextAt),
  ),
  ofJobs('job_running', '1 while the job is under way.', ({ isUnderWay }) => flag(isUnderWay)),
  {
    name: 'registrar_job_last_end',
    type: 'gauge',
    help: 'Always 1; the label end says how the job ended last.',
    labels: ['name', 'end'],
    samples: ({ jobs }) =>
      jobs.flatMap(({ name, lastEnd }) => (lastEnd === null ? [] : [sample({ name, end: lastEnd }, 1)])),
  },
  family('ledger_size_bytes', 'Size of the ledger and its log.', [], ({ ledgerBytes }) => one(ledgerBytes)),
  family('disk_free_bytes', 'Free disk space for the workspace.', [], ({ freeBytes }) => one(freeBytes)),
];

function family(
  name: string,
  help: string,
  labels: readonly string[],
  samples: OfFigures,
  type: Family['type'] = 'gauge',
): Family {
  return {
    name: `registrar_${name}`,
    type,
    help,
    labels,
    samples: (observed) => (observed.figures === null ? [] : samples(observed.figures, observed)),
  };
}

/** @param value null: the job has none. */
function ofJobs(name: string, help: string, value: (job: JobView) => number | null): Family {
  return {
    name: `registrar_${name}`,
    type: 'gauge',
    help,
    labels: ['name'],
    samples: ({ jobs }) =>
      jobs.flatMap((job) => {
        const number = value(job);
        return number === null ? [] : [sample({ name: job.name }, number)];
      }),
  };
}

function sample(labels: Sample['labels'], value: number): Sample {
  return { labels, value };
}

function one(value: number): readonly Sample[] {
  return [sample({}, value)];
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}

function seconds(iso: string): number {
  return msFromIso(iso) / 1_000;
}

/** The sources that have files, and those of registrar.yaml that have none yet: a line that begins late has no rate. */
function withMissing(facts: Figures['sources'], configured: readonly string[]): Figures['sources'] {
  const missing = configured.filter((source) => !facts.some((one) => one.source === source));
  return [...facts, ...missing.map((source) => ({ source, drops: 0, dispositions: NONE, invalidOpen: 0 }))];
}

const NONE: Figures['sources'][number]['dispositions'] = {
  staged: 0,
  duplicate: 0,
  amended: 0,
  invalid: 0,
  skipped: 0,
  'non-data': 0,
  blank: 0,
};
