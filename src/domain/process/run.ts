export const RUN_TRIGGERS = ['cron', 'manual', 'rerun'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** null in the ledger while it is going on or when its process died. `error`: it broke off before its report. */
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
