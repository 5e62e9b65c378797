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
    timeZone: v.timeZone.optional().describe('IANA zone of the fields; default: the machine’s'),
    do: z
      .array(z.enum(SCHEDULED))
      .min(1)
      .describe(
        'what to do, in this order. run: import files (their rows are delivered in any case); report: report the files imported since the line’s previous time; purge: clear old content; backup: copy the ledger, and restore the copy as a test; check: check the whole ledger',
      ),
    sources: z.array(z.string()).default([]).describe('sources of run; empty: all'),
    missed: z
      .enum(['latest', 'each', 'none'])
      .default('latest')
      .describe(
        'what happens to times when no service was running, or the line was still running. latest: the line runs once for all of them; each: once for every one; none: they are skipped',
      ),
    paused: v.paused('the line doesn’t run'),
    olderThan: v.positiveDuration
      .optional()
      .describe(
        'purge: clear the content of closed rows imported longer ago than this, such as 400d, and delete older reports',
      ),
    folder: v
      .checked(v.folderMistake)
      .optional()
      .describe('backup: folder of the copies, relative to the workspace; it must exist'),
    keep: v.positiveCount.default(14).describe('backup: number of copies to keep; older ones are deleted'),
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
