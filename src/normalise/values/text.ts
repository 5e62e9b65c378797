import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading } from '../reading.js';
import { trimText } from './trim-text.js';

/**
 * A text for people, on one line and in composed form (NFC). It is never refused: an error value of a workbook is
 * as good as empty here.
 */
export function readText(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = trimText(cellText(cell)).normalize('NFC').replace(/\s+/g, ' ');
  return text === '' ? ABSENT : { value: text };
}
