import { type Cell, cellText, isBlankCell } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { statusWordIn } from '../values/status.js';
import { type AliasMatch, aliasMatches } from './header-aliases.js';
import { sampleValues } from './sample-values.js';

/** A column of a file while its field is being found. */
export interface HeaderColumn {
  /** From 0, column A. */
  readonly index: number;
  /** As the file has it. */
  readonly header: string;
  /** The header in the form that is compared. */
  readonly text: string;
  readonly zone: string | null;
  /** The fields that the header may be. */
  readonly matches: readonly AliasMatch[];
  /** The values below the header: only words of the status vocabulary, only such words that are also numbers, or others. */
  readonly holds: 'status words' | 'numbers that may be a status' | 'other';
  /** The rows have values, and none that could be a score: "Note" is a grade in some languages, and a remark in others. */
  readonly isRemark: boolean;
  /** Its values in the first rows. */
  readonly values: () => readonly Cell[];
}

/** Reads a header, and the facts from the rows below it that may decide between two meanings. */
export function toColumn(
  header: string,
  index: number,
  operation: Operation,
  sample: readonly (readonly Cell[])[],
): HeaderColumn {
  const { text, zone } = normaliseHeader(header);
  const matches = isAdded(header) ? [] : aliasMatches(text, operation);
  const isRemark =
    matches.some(({ kind }) => kind === 'score-or-remark') && holdsNoScore(sampleValues(sample, index));
  const values = () => sampleValues(sample, index);
  return { index, header, text, zone, matches, holds: held(index, sample), isRemark, values };
}

/** True for the columns that Registrar adds to the files it writes (_status, _row): they are never a field. */
export function isAdded(header: string): boolean {
  return header.startsWith('_');
}

function held(index: number, sample: readonly (readonly Cell[])[]): HeaderColumn['holds'] {
  let holds: HeaderColumn['holds'] = 'other';
  for (const row of sample) {
    const cell = row[index];
    if (cell === undefined || isBlankCell(cell)) continue;
    const key = statusWordIn(cell);
    if (key === null) return 'other';
    if (!/^\d+$/.test(key)) holds = 'status words';
    else if (holds === 'other') holds = 'numbers that may be a status';
  }
  return holds;
}

function holdsNoScore(values: readonly Cell[]): boolean {
  return values.length > 0 && !values.some((cell) => SCORE.test(cellText(cell)));
}

/** 85, 8,5, 85 % or 9/10. */
const SCORE = /^\s*-?\d+(?:[.,]\d+)?\s*(?:%|\/\s*\d+(?:[.,]\d+)?)?\s*$/;
