import { Counter, collectDefaultMetrics, Gauge, Registry, type RegistryContentType } from 'prom-client';
import { FAMILIES, type Observed } from './families.js';

/** The two ways in which the same metrics are written. */
export type Format = 'openmetrics' | 'plain';

/** Metrics as a text that Prometheus reads. */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

/** The format that a request's Accept header names. */
export function formatFor(accept: string | undefined): Format {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'plain';
}

/** Metrics of the process, such as its memory and how long its loop is kept waiting; they are counted from now on. */
export function processMetrics(): (format: Format) => Promise<string> {
  // The library writes the names of counters otherwise once it has written OpenMetrics: each format has its own.
  const registries = new Map<Format, Registry<RegistryContentType>>();
  return async (format) => {
    const known = registries.get(format);
    const registry = known ?? registryOf(format);
    if (known === undefined) {
      collectDefaultMetrics({ register: registry });
      for (const name of MISNAMED) registry.removeSingleMetric(name);
      registries.set(format, registry);
    }
    return registry.metrics();
  };
}

/** Gauges that end in _total, which only counters may. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

function registryOf(format: Format): Registry<RegistryContentType> {
  const registry: Registry<RegistryContentType> = new Registry();
  registry.setContentType(
    format === 'openmetrics' ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE,
  );
  return registry;
}

/** The metrics of the service in a format. @param ofProcess as `processMetrics` gives them. */
export async function exposition(
  observed: Observed,
  ofProcess: (format: Format) => Promise<string>,
  format: Format,
): Promise<Exposition> {
  const registry = registryOf(format);
  for (const { name, type, help, labels, samples } of FAMILIES) {
    const about = { name, help, labelNames: [...labels], registers: [registry] };
    const found = samples(observed);
    if (found.length === 0) continue;
    if (type === 'counter') {
      const counter = new Counter(about);
      for (const { labels, value } of found) counter.inc(labels, value);
    } else {
      const gauge = new Gauge(about);
      for (const { labels, value } of found) gauge.set(labels, value);
    }
  }
  const own = await registry.metrics();
  const process = await ofProcess(format);
  return {
    // An OpenMetrics text has one end.
    text: format === 'openmetrics' ? own.replace(/# EOF\n$/, '') + process : `${own}\n${process}`,
    contentType: registry.contentType,
  };
}
