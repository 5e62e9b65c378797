import { type ScheduledTask, schedule, validate } from 'node-cron';
import type { ScheduleConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';

/** What the schedule reports to those who watch it. */
export type ScheduleEvent =
  | { readonly kind: 'due'; readonly cron: string }
  /** The same entry is still running or queued: this firing is skipped, and the next one catches up. */
  | { readonly kind: 'overlap'; readonly cron: string }
  | { readonly kind: 'failed'; readonly cron: string; readonly error: unknown };

/**
 * Runs the entries at their times in their zones until `stop` is aborted, never two at once. An entry that is running then
 * is awaited. A failure is reported and doesn't end the schedule.
 */
export async function runSchedule(
  entries: readonly ScheduleConfig[],
  perform: (entry: ScheduleConfig) => Promise<void>,
  stop: AbortSignal,
  listen: (event: ScheduleEvent) => void,
): Promise<void> {
  const pending = new Set<ScheduleConfig>();
  let queue: Promise<void> = Promise.resolve();
  const due = (entry: ScheduleConfig) => {
    if (pending.has(entry)) return listen({ kind: 'overlap', cron: entry.cron });
    pending.add(entry);
    listen({ kind: 'due', cron: entry.cron });
    queue = queue
      .then(async () => {
        if (!stop.aborted) await perform(entry);
      })
      .catch((error) => listen({ kind: 'failed', cron: entry.cron, error }))
      .finally(() => pending.delete(entry));
  };
  const tasks = entries.map((entry) => start(entry, () => due(entry)));
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const task of tasks) await task.stop();
  await queue;
}

function start(entry: ScheduleConfig, due: () => void): ScheduledTask {
  const timezone = entry.timeZone;
  if (validate(entry.cron)) return schedule(entry.cron, due, timezone === undefined ? {} : { timezone });
  throw new OperatorError({
    operation: 'start the schedule',
    subject: entry.cron,
    message: `schedule: cron "${entry.cron}" names no time`,
    hint: 'Correct it in registrar.yaml, such as "*/15 * * * *" for every quarter of an hour.',
  });
}
