import type { Cell } from '../../../domain/row.js';
import { numberIn, plainScore } from '../../values/score-scale.js';
import { trimText } from '../../values/trim-text.js';

/**
 * How much of a course is done. `one`: a 1, which is all of it or one percent. `odd`: a number that is no share; more than 100 is a
 * count of lessons, perhaps. null: the cell is no number.
 */
export type Progress = 'all' | 'part' | 'one' | 'odd' | null;

/**
 * Reads a cell of progress: 100, 100 %, 12/12. The scale of a plain number decides only about a 1: a number between 0 and 1 is
 * less than the whole on either scale.
 */
export function readProgress(cell: Cell | undefined): Progress {
  if (typeof cell === 'object' && cell !== null) return 'percent' in cell ? ofHundred(cell.percent) : null;
  const number = plainScore(cell, null);
  if (number !== null) return number === 1 ? 'one' : ofHundred(number);
  if (typeof cell !== 'string') return null;
  const text = trimText(cell.normalize('NFKC'));
  if (text.endsWith('%')) return ofHundred(numberIn(text.slice(0, -1).trimEnd(), null));
  const slash = text.indexOf('/');
  if (slash < 0) return null;
  const done = numberIn(text.slice(0, slash).trimEnd(), null);
  const of = numberIn(text.slice(slash + 1).trimStart(), null);
  return done === null || of === null || of <= 0 ? null : ofHundred((done / of) * 100);
}

function ofHundred(share: number | null): Progress {
  if (share === null) return null;
  // A sum of thirds is 99.99999999999999 for a computer.
  const percent = Math.round(share * 1e6) / 1e6;
  if (percent < 0 || percent > 100) return 'odd';
  return percent === 100 ? 'all' : 'part';
}
