import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading, refuse } from './reading.js';
import { trimText } from './trim-text.js';

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  '1': true,
  false: false,
  no: false,
  n: false,
  '0': false,
};

/** A yes or no: true, yes, y, 1 and false, no, n, 0, whatever their case, and boolean cells. */
export function readFlag(cell: Cell | undefined, { column }: { readonly column: string }): Reading<boolean> {
  const text = trimText(cellText(cell)).toLowerCase();
  if (text === '') return ABSENT;
  const value = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  if (value !== undefined) return { value };
  return refuse(
    'choice-invalid',
    column,
    cell,
    'is neither true nor false',
    'write true or false, yes or no',
  );
}
