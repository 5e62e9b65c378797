export const RUN_TRIGGERS = ['cron', 'manual', 'rerun'] as const;

export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/**
 * How a run ended; null in the ledger while it is going on or when its process died. `error` is one that broke off
 * before its report.
 */
export const RUN_ENDS = [
  'done',
  'attention',
  'unavailable',
  'interrupted',
  'unbalanced',
  'error',
  'died',
] as const;

export type RunEnd = (typeof RUN_ENDS)[number];
