import { cronMistake } from '../values/cron.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

export const SCHEDULED = ['run', 'report', 'purge', 'backup', 'check'] as const;

/** Rules between lines are in `check-sources`. */
export const scheduleKeys = z
  .strictObject({
    cron: v
      .checked(cronMistake)
      .describe(
        'five fields as in crontab, or six with seconds first, or @hourly, @daily, @weekly, @monthly, @yearly; day of month and of week must both fit',
      ),
    timeZone: v.timeZone.optional().describe('IANA zone of the fields; else the machine’s'),
    do: z
      .array(z.enum(SCHEDULED))
      .min(1)
      .describe(
        'what to do, in this order. run: import files (they are delivered at once); report: what came in since the time before; purge: clear old content; backup: copy the ledger, and restore the copy for a test; check: look at the whole ledger',
      ),
    sources: z.array(z.string()).default([]).describe('sources of that run; none: all'),
    missed: z
      .enum(['latest', 'each', 'none'])
      .default('latest')
      .describe(
        'what becomes of times at which the service was down, or busy with the same line: the latest is made up for, each is, or none',
      ),
    paused: v.paused('it is not done'),
    olderThan: v.positiveDuration
      .optional()
      .describe(
        'purge: clear the content of rows that came in longer ago, such as 400d, and delete the reports of that time',
      ),
    folder: v
      .checked(v.folderMistake)
      .optional()
      .describe('backup: folder of the copies, relative to the workspace; it must exist'),
    keep: v.positiveCount.default(14).describe('backup: how many copies stay; older ones are deleted'),
  })
  .superRefine(({ do: what, olderThan, folder }, context) => {
    for (const [key, value, job] of [
      ['olderThan', olderThan, 'purge'],
      ['folder', folder, 'backup'],
    ] as const) {
      const isNeeded = [what].flat().includes(job);
      if (isNeeded === (value !== undefined)) continue;
      const message = isNeeded ? v.MISSING : `is for ${job}, which the line doesn't do; remove it`;
      context.addIssue({ code: 'custom', path: [key], message });
    }
  }, v.ALWAYS);

export const scheduleSchema = scheduleKeys.transform(({ olderThan: olderThanMs, ...read }) => ({
  ...read,
  olderThanMs,
}));
