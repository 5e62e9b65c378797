import type { ScheduleConfig } from '../schema.js';
import { inOneLine } from './cron.js';

/** The name of a line of the schedule, by which the ledger knows its slots: what it does, of which sources, and when. */
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
