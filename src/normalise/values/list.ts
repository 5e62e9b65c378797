import type { Cell } from '../../domain/row.js';
import { cellText } from '../../domain/row.js';
import { ABSENT, type Reading } from '../reading.js';
import { readText } from './text.js';

/**
 * The texts of a cell that may list several, each as `readText` reads it, one a line; empty ones and repetitions left
 * out. Line ends separate them besides the separator: Alt+Enter in a spreadsheet.
 */
export function readList(cell: Cell | undefined, separator: string): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const texts = cellText(cell)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .flatMap((line) => line.split(separator))
    .flatMap((text) => {
      const reading = readText(text);
      return 'value' in reading && reading.value !== null ? [reading.value] : [];
    });
  return texts.length === 0 ? ABSENT : { value: [...new Set(texts)].join('\n') };
}
