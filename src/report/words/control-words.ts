import type { ControlFinding } from '../../domain/files/control-totals.js';
import { countOf } from '../../domain/text/count-of.js';

/** Expected and read rows of data of one file, in words. */
export function controlWords({ state, min, max, read }: ControlFinding): string {
  const counted = `${expectedRows(min, max)} expected, ${read} read`;
  if (state === 'missing')
    return `no control file came; ${min === null && max === null ? `${countOf(read, 'row')} read` : counted}`;
  return state === 'met' ? counted : `NOT THE ROWS EXPECTED: ${counted}`;
}

function expectedRows(min: number | null, max: number | null): string {
  if (min === max) return min === null ? 'any number of rows' : countOf(min, 'row');
  if (max === null) return `${min} or more rows`;
  return min === null ? `up to ${countOf(max, 'row')}` : `${min} to ${countOf(max, 'row')}`;
}
