import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { FAMILIES, type Observed } from './families.js';

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
export async function exposition(observed: Observed, ofProcess: Registry) {
  const registry = new Registry();
  for (const { name, help, labels, samples } of FAMILIES) {
    const values = samples(observed);
    if (values.length === 0) continue;
    const about = { name, help, labelNames: [...labels], registers: [registry] };
    // Only counters have a name in _total.
    const metric = name.endsWith('_total') ? new Counter(about) : new Gauge(about);
    for (const { labels, value } of values) metric.inc(labels, value);
  }
  return {
    text: `${await registry.metrics()}\n${await ofProcess.metrics()}`,
    contentType: registry.contentType,
  };
}
