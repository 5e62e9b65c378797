import { SCHEDULED } from '../schema/schedule-schema.js';
import type { Config } from '../schema.js';
import { deliveryName } from '../values/job-name.js';
import { unknownName } from './check-sources.js';
import type { Mistake } from './mistake.js';

/** The jobs of pings exist. */
export function checkPings({ monitor, environments }: Pick<Config, 'monitor' | 'environments'>): Mistake[] {
  const jobs = [...SCHEDULED, 'deliver', ...Object.keys(environments).map(deliveryName)];
  return monitor.pings.flatMap(({ job }, at) =>
    unknownName(job, jobs, jobs.join(', '), ['monitor', 'pings', at, 'job']),
  );
}
