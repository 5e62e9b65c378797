import { type Cell, cellText } from '../../domain/row.js';
import { trimText } from './trim-text.js';

/** The mark before the decimals, as a source declares it; null: it declares none. */
export type DecimalMark = '.' | ',' | null;

/** The number of a cell that doesn't carry its own scale; null for every other cell. */
export function plainScore(cell: Cell | undefined, decimalMark: DecimalMark): number | null {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' ? numberIn(trimText(cell.normalize('NFKC')), decimalMark) : null;
}

/**
 * A number with at most one decimal point or comma; null for anything else. Where no mark is declared, three digits
 * behind a comma may be thousands ("1,234"), unless there is a zero before it.
 */
export function numberIn(text: string, decimalMark: DecimalMark): number | null {
  if (!/^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text)) return null;
  if (decimalMark === null ? mayBeThousands(text) : text.includes(OTHER_MARK[decimalMark])) return null;
  return Number(text.replace(',', '.'));
}

/** True for a text whose comma may stand before decimals or between thousands. */
export function mayBeThousands(text: string): boolean {
  return MAYBE_THOUSANDS.test(text);
}

const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2},\d{3}$/;

const OTHER_MARK = { '.': ',', ',': '.' } as const;

/** The scale that a column of plain numbers proves, with what proves it. */
export type ProvenScale =
  | { readonly scale: '0-100'; readonly line: number; readonly text: string }
  | { readonly scale: '0-1' }
  /** So many scores, none above 10: they may be of 4, 5, 10 or 100, and the source must say. */
  | { readonly scale: 'unclear'; readonly scores: number };

/** Collects what the plain numbers of one column prove about their scale. */
export interface ScaleEvidence {
  add(cell: Cell | undefined, line: number): void;
  /** null: the column proves nothing. */
  scale(): ProvenScale | null;
  /** True when the meaning of the numbers depends on those to come. */
  isAsked(): boolean;
}

/**
 * How many numbers between 0 and 1, with none above 1, prove a scale of 1. On a scale of 100, these learners would all be below
 * one percent and none at two or more, which no real scores show.
 */
const FRACTIONS_THAT_PROVE = 10;

/** The best score of the largest scale that scores of 100 could be taken for. */
const LOW_MAX = 10;

/**
 * Evidence before any cell. A number above 10 (and up to 100) proves a scale of 100, wherever it stands; only the whole column
 * proves another one, or shows that it is unclear: where no score is above 10.
 * Percentages and fractions such as 9/10 are no evidence for plain numbers, nor is 0.
 */
export function createScaleEvidence(decimalMark: DecimalMark): ScaleEvidence {
  let high: ProvenScale | null = null;
  let isAboveOne = false;
  let low = 0;
  let fractions = 0;
  return {
    add: (cell, line) => {
      if (high !== null) return;
      const number = plainScore(cell, decimalMark);
      if (number === null || !(number > 0 && number <= 100)) return;
      if (number > 1) isAboveOne = true;
      if (number > LOW_MAX) high = { scale: '0-100', line, text: cellText(cell) };
      else low += 1;
      if (number < 1) fractions += 1;
    },
    scale: () => {
      if (high !== null) return high;
      if (isAboveOne) return { scale: 'unclear', scores: low };
      return fractions >= FRACTIONS_THAT_PROVE ? { scale: '0-1' } : null;
    },
    isAsked: () => high === null && low > 0,
  };
}
