import type { ControlFinding } from '../ledger/control-totals.js';

/** Expected and read rows of data of one file, in words. */
export function controlWords({ state, min, max, read }: ControlFinding): string {
  const counted = `${expectedRows(min, max)} rows expected, ${read} read`;
  if (state === 'missing')
    return `no control file came; ${min === null && max === null ? `${read} rows read` : counted}`;
  return state === 'met' ? counted : `NOT THE ROWS EXPECTED: ${counted}`;
}

function expectedRows(min: number | null, max: number | null): string {
  if (min === max) return String(min ?? 'any');
  if (max === null) return `${min} or more`;
  return min === null ? `up to ${max}` : `${min} to ${max}`;
}
