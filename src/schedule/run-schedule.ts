import { type ScheduledTask, schedule, validate } from 'node-cron';
import type { ScheduleConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';

/** What the schedule tells those who watch it. */
export type ScheduleEvent =
  | { readonly kind: 'due'; readonly cron: string }
  /** The same entry is still going on or queued: this time is left out, the next one catches up. */
  | { readonly kind: 'overlap'; readonly cron: string }
  | { readonly kind: 'failed'; readonly cron: string; readonly error: unknown };

/**
 * Works by the clock until `stop` is aborted: each entry at its times in its zone, one after another, never two at
 * once. What is going on when `stop` comes is waited for. A failure is told and doesn't end the schedule.
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
