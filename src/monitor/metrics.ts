import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { MetricValues } from '../actions/monitor/read-metrics.js';
import { ALERT_KINDS } from '../domain/alerts/alert.js';
import { msFromIso } from '../domain/clock.js';
import type { Health } from '../domain/health/health.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';
import { VERSION } from '../version.js';
import type { JobView } from './job-tracker.js';

export interface MetricsInput {
  /** null: the ledger can't be read. */
  readonly values: MetricValues | null;
  readonly health: Health;
  readonly jobs: readonly JobView[];
  readonly environments: readonly string[];
  readonly sources: readonly string[];
  readonly nowMs: number;
}

/** A value of a metric, then the values of its labels, in their order. Without a value (null) there is no sample. */
type Sample = readonly [value: number | boolean | null, ...labels: string[]];

/** A metric as a scraper sees it. Its name, labels and meaning are in docs/monitoring.md. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  samples(input: MetricsInput): readonly Sample[];
}

/** Every metric of the service beside those of its process; labels are names of registrar.yaml and words of the program. */
export const FAMILIES: readonly Family[] = [
  family(
    'build_info',
    'Always 1; its labels are versions.',
    ['version', 'node', 'sqlite', 'schema'],
    ({ versions: { sqlite, schema } }) => [[1, VERSION, process.versions.node, sqlite, schema]],
  ),
  ofService('ready', '1 while nothing has failed; as /readyz.', [], ({ health }) => [
    [health.state !== 'failed'],
  ]),
  ofService(
    'health',
    '0 healthy, 1 degraded, 2 failed, for each part and subject; the label code says what is wrong.',
    ['part', 'subject', 'code'],
    ({ health: { findings, healthy } }) => [
      ...findings.map(({ part, subject, code, state }): Sample => {
        return [state === 'failed' ? 2 : 1, part, subject, code];
      }),
      ...healthy.map(({ part, subject }): Sample => [0, part, subject, '']),
    ],
  ),
  ofService(
    'ledger_readable',
    '1 while the ledger can be read; while it is 0, most metrics are missing.',
    [],
    ({ values }) => [[values !== null]],
  ),
  family(
    'submissions',
    'Records to deliver, and delivered ones, by state; the cause where the state has one.',
    ['environment', 'state', 'cause'],
    ({ submissions }, { environments }) => [
      ...submissions.map(({ environment, state, cause, count }): Sample => {
        return [count, environment, state, cause ?? ''];
      }),
      // A line that begins with the first row would have no rate.
      ...environments.flatMap((environment) =>
        STATES.filter(
          (state) => !submissions.some((is) => is.environment === environment && is.state === state),
        ).map((state): Sample => [0, environment, state, '']),
      ),
    ],
  ),
  family(
    'rows_read_total',
    'Rows read from files, by what staging made of them.',
    ['source', 'disposition'],
    (values, input) =>
      sourcesOf(values, input).flatMap(({ source, facts }) =>
        DISPOSITIONS.map((name): Sample => [facts?.dispositions[name] ?? 0, source, name]),
      ),
  ),
  ofSources('drops_total', 'Files imported.', ({ facts }) => facts?.drops ?? 0),
  family(
    'drop_last_arrival_timestamp_seconds',
    'When the latest file arrived, repeated and refused ones included.',
    ['source'],
    ({ arrivals }) => arrivals.map(({ source, at }) => [seconds(at), source]),
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
    ({ answers }) => answers.map(({ count, environment, outcome }) => [count, environment, outcome]),
  ),
  single('attempts_open', 'Requests that are under way, or whose process died.', (one) => one.openAttempts),
  ofEnvironments('quota_permits', 'Permits of the quota in use now.', ({ quota }) => quota.permits),
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
  single('decisions_open', 'Decisions that are not finished.', ({ work }) => work.decisions.length),
  family('alerts_open', 'Open alerts, by kind.', ['kind'], ({ alerts }) =>
    ALERT_KINDS.map((kind) => [alerts.open.filter((one) => one.kind === kind).length, kind]),
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
    ({ jobs }) => jobs.map(({ name, lastEnd }) => [lastEnd === null ? null : 1, name, lastEnd ?? '']),
  ),
  single('ledger_size_bytes', 'Size of the ledger and its log.', ({ ledgerBytes }) => ledgerBytes),
  single('disk_free_bytes', 'Free disk space for the workspace.', ({ freeBytes }) => freeBytes),
];

/** Metrics of the process, such as its memory and how long its loop is kept waiting; they are counted from now on. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/** Gauges that end in _total, which only counters may. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The metrics of the service. @param ofProcess as `processMetrics` gives them. */
export async function exposition(input: MetricsInput, ofProcess: Registry) {
  const registry = new Registry();
  for (const { name, help, labels, samples } of FAMILIES) {
    const present = samples(input).filter(([value]) => value !== null);
    if (present.length === 0) continue;
    const about = { name, help, labelNames: [...labels], registers: [registry] };
    // Only counters have a name in _total.
    const metric = name.endsWith('_total') ? new Counter(about) : new Gauge(about);
    for (const [value, ...of] of present) metric.labels(...of).inc(Number(value));
  }
  return {
    text: `${await registry.metrics()}\n${await ofProcess.metrics()}`,
    contentType: registry.contentType,
  };
}

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
function family(
  name: string,
  help: string,
  labels: readonly string[],
  samples: (values: MetricValues, input: MetricsInput) => readonly Sample[],
): Family {
  return ofService(name, help, labels, (input) =>
    input.values === null ? [] : samples(input.values, input),
  );
}

function single(name: string, help: string, value: (values: MetricValues) => number | null): Family {
  return family(name, help, [], (values) => [[value(values)]]);
}

function ofSources(
  name: string,
  help: string,
  value: (source: ReturnType<typeof sourcesOf>[number], values: MetricValues) => number,
): Family {
  return family(name, help, ['source'], (values, input) =>
    sourcesOf(values, input).map((one) => [value(one, values), one.source]),
  );
}

/** The sources that have files, and those of registrar.yaml that have none yet: a line that begins late has no rate. */
function sourcesOf({ sources, refusedBySource }: MetricValues, input: MetricsInput) {
  const names = [...sources, ...refusedBySource].map(({ source }) => source);
  return [...new Set([...names, ...input.sources])].map((source) => ({
    source,
    facts: sources.find((one) => one.source === source),
  }));
}

type Value<One> = (one: One, nowMs: number) => Sample[0];

function ofEnvironments(
  name: string,
  help: string,
  value: Value<MetricValues['environments'][number]>,
): Family {
  return family(name, help, ['environment'], ({ environments }, { nowMs }) =>
    environments.map((one) => [value(one, nowMs), one.environment]),
  );
}

function ofEstimates(name: string, help: string, value: Value<MetricValues['estimates'][number]>): Family {
  return family(name, help, ['environment'], ({ estimates }, { nowMs }) =>
    estimates.map((one) => [value(one, nowMs), one.environment]),
  );
}

function ofJobs(name: string, help: string, value: Value<JobView>): Family {
  return ofService(name, help, ['name'], ({ jobs, nowMs }) =>
    jobs.map((job) => [value(job, nowMs), job.name]),
  );
}

function seconds(iso: string | null): number | null {
  return iso === null ? null : msFromIso(iso) / 1_000;
}
