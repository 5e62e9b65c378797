import type { Figures } from '../actions/monitor/figures.js';
import { ALERT_KINDS } from '../domain/alerts/alert.js';
import { msFromIso } from '../domain/clock.js';
import type { Health } from '../domain/health/health.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';
import { VERSION } from '../version.js';
import type { JobView } from './jobs-view.js';

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
  ofService('ready', '1 while nothing has failed; as /readyz.', [], ({ health }) =>
    one(health.state !== 'failed'),
  ),
  ofService(
    'health',
    '0 healthy, 1 degraded, 2 failed, for each part and subject; the label code says what is wrong.',
    ['part', 'subject', 'code'],
    ({ health: { findings, healthy } }) => [
      ...findings.map(({ part, subject, code, state }) =>
        sample({ part, subject, code }, state === 'failed' ? 2 : 1),
      ),
      ...healthy.map(({ part, subject }) => sample({ part, subject, code: '' }, 0)),
    ],
  ),
  ofService(
    'ledger_readable',
    '1 while the ledger can be read; while it is 0, most metrics are missing.',
    [],
    ({ figures }) => one(figures !== null),
  ),
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
    (figures, observed) =>
      sourcesOf(figures, observed).flatMap(({ source, facts }) =>
        DISPOSITIONS.map((name) => sample({ source, disposition: name }, facts?.dispositions[name] ?? 0)),
      ),
  ),
  ofSources('drops_total', 'Files imported.', ({ facts }) => facts?.drops ?? 0),
  family(
    'drop_last_arrival_timestamp_seconds',
    'When the latest file came in, repeated and refused ones included.',
    ['source'],
    ({ arrivals }) => arrivals.flatMap(({ source, at }) => some({ source }, seconds(at))),
  ),
  ofSources(
    'invalid_rows',
    'Invalid rows that are neither corrected nor dismissed.',
    ({ facts }) => facts?.invalidOpen ?? 0,
  ),
  ofSources(
    'files_refused',
    'Refused files that are not closed.',
    ({ source }, { refusedBySource }) => refusedBySource.find((one) => one.source === source)?.files ?? 0,
  ),
  ofSources(
    'results_waiting',
    'Results of files that their senders don’t have yet.',
    ({ source }, { results }) => results.filter((one) => one.source === source).length,
  ),
  family(
    'attempts_total',
    'Requests to the platform that have ended, by what their answer meant.',
    ['environment', 'outcome'],
    ({ answers }) => answers.map(({ count, ...labels }) => sample(labels, count)),
  ),
  single('attempts_open', 'Requests that are under way, or whose process died.', (one) => one.openAttempts),
  ofEnvironments('quota_permits', 'Permits of the quota that are taken now.', ({ quota }) => quota.permits),
  ofEstimates('quota_limit', 'Permits for runs per period of the quota.', ({ quota }) => quota.requests),
  ofEnvironments(
    'quota_paused_seconds',
    'How long the quota is still paused by the platform; 0: it is not.',
    ({ quota }) => quota.pausedForMs / 1_000,
  ),
  ofEnvironments('environment_up', '0 while the environment is known to be unusable.', (one) => !one.isDown),
  ofEnvironments(
    'delivering',
    '1 while a process delivers to the environment.',
    (one) => one.pushedBy !== null,
  ),
  ofEnvironments(
    'oldest_waiting_seconds',
    'How long the oldest of the rows that are next has waited; 0: none waits.',
    ({ waitingSince }, nowMs) =>
      waitingSince === null ? 0 : Math.max(0, nowMs - msFromIso(waitingSince)) / 1_000,
  ),
  ofEstimates('waiting_requests', 'Requests that deliver the waiting rows.', ({ requests }) => requests),
  ofEstimates(
    'estimated_end_timestamp_seconds',
    'When the waiting rows will be delivered; missing where none wait or the environment is unusable.',
    ({ estimatedEnd }) => seconds(estimatedEnd),
  ),
  ofEstimates(
    'deliver_by_timestamp_seconds',
    'The deadline of the rows that have waited longest (deliverBy), until they are delivered.',
    ({ deliverBy }) => seconds(deliverBy?.at ?? null),
  ),
  ofEstimates(
    'deliver_by_held',
    '0 where the deadline was missed, will be missed, or the end of delivery is unknown.',
    ({ deliverBy, requests }) =>
      deliverBy && !deliverBy.isMissed && (requests === 0 || deliverBy.lateByMs === 0),
  ),
  single(
    'decisions_open',
    'Decisions of people that are not carried out to their end.',
    ({ work }) => work.decisions.length,
  ),
  family('alerts_open', 'Open alerts, by kind.', ['kind'], ({ alerts }) =>
    ALERT_KINDS.map((kind) => sample({ kind }, alerts.open.filter((one) => one.kind === kind).length)),
  ),
  ofJobs('job_last_success_timestamp_seconds', 'When the job last succeeded.', (job) =>
    seconds(job.lastSuccessAt),
  ),
  ofJobs('job_next_timestamp_seconds', 'When the job is due next.', ({ nextAt }) => seconds(nextAt)),
  ofJobs('job_running', '1 while the job is under way.', ({ isUnderWay }) => isUnderWay),
  ofService(
    'job_last_end',
    'Always 1; the label end says how the job ended last.',
    ['name', 'end'],
    ({ jobs }) =>
      jobs.flatMap(({ name, lastEnd }) => (lastEnd === null ? [] : sample({ name, end: lastEnd }, 1))),
  ),
  single('ledger_size_bytes', 'Size of the ledger and its log.', ({ ledgerBytes }) => ledgerBytes),
  single('disk_free_bytes', 'Free disk space for the workspace.', ({ freeBytes }) => freeBytes),
];

/** A metric that needs no ledger. */
function ofService(
  name: string,
  help: string,
  labels: readonly string[],
  samples: Family['samples'],
): Family {
  return { name: `registrar_${name}`, help, labels, samples };
}

/** A metric of the ledger; missing while that can't be read. */
function family(name: string, help: string, labels: readonly string[], samples: OfFigures): Family {
  return ofService(name, help, labels, (observed) =>
    observed.figures === null ? [] : samples(observed.figures, observed),
  );
}

function single(name: string, help: string, value: (figures: Figures) => number | null): Family {
  return family(name, help, [], (figures) => some({}, value(figures)));
}

function ofSources(
  name: string,
  help: string,
  value: (source: ReturnType<typeof sourcesOf>[number], figures: Figures) => number,
): Family {
  return family(name, help, ['source'], (figures, observed) =>
    sourcesOf(figures, observed).map((one) => sample({ source: one.source }, value(one, figures))),
  );
}

/** The sources that have files, and those of registrar.yaml that have none yet: a line that begins late has no rate. */
function sourcesOf({ sources, refusedBySource }: Figures, observed: Observed) {
  const names = [...sources, ...refusedBySource].map(({ source }) => source);
  return [...new Set([...names, ...observed.sources])].map((source) => ({
    source,
    facts: sources.find((one) => one.source === source),
  }));
}

type Value<One> = (one: One, nowMs: number) => number | boolean | null;

/** @param value null: there is none. */
function ofEnvironments(name: string, help: string, value: Value<Figures['environments'][number]>): Family {
  return family(name, help, ['environment'], ({ environments }, { nowMs }) =>
    environments.flatMap((one) => some({ environment: one.environment }, value(one, nowMs))),
  );
}

function ofEstimates(name: string, help: string, value: Value<Figures['estimates'][number]>): Family {
  return family(name, help, ['environment'], ({ estimates }, { nowMs }) =>
    estimates.flatMap((one) => some({ environment: one.environment }, value(one, nowMs))),
  );
}

function ofJobs(name: string, help: string, value: Value<JobView>): Family {
  return ofService(name, help, ['name'], ({ jobs, nowMs }) =>
    jobs.flatMap((job) => some({ name: job.name }, value(job, nowMs))),
  );
}

function some(labels: Sample['labels'], value: number | boolean | null): readonly Sample[] {
  return value === null ? [] : [sample(labels, value)];
}

function one(value: number | boolean): readonly Sample[] {
  return [sample({}, value)];
}

function sample(labels: Sample['labels'], value: number | boolean): Sample {
  return { labels, value: Number(value) };
}

function seconds(iso: string | null): number | null {
  return iso === null ? null : msFromIso(iso) / 1_000;
}
