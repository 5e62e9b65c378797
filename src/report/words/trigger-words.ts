import type { RunTrigger } from '../../domain/process/run.js';

/** What started a run, in words. */
export const TRIGGER_WORDS: Readonly<Record<RunTrigger, string>> = {
  cron: 'automatic',
  manual: 'by hand',
  rerun: 're-run',
};
