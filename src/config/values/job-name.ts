import type { ScheduleConfig } from '../schema.js';
import { inOneLine } from './cron.js';

/** By this name of a line of the schedule the ledger knows its slots. */
export function jobName({
  cron,
  timeZone,
  do: what,
  sources,
}: Pick<ScheduleConfig, 'cron' | 'timeZone' | 'do' | 'sources'>): string {
  const of = sources.length === 0 ? '' : ` of ${sources.join(', ')}`;
  const zone = timeZone === undefined ? '' : ` ${timeZone}`;
  return `${what.join(', ')}${of} at ${inOneLine(cron)}${zone}`;
}

export function deliveryName(environment: string): string {
  return `deliver-${environment}`;
}
