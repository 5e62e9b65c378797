import type { Cell } from '../../domain/row.js';
import { cellText } from '../../domain/row.js';
import { type DecimalMark, plainScore } from './plain-score.js';

/** The scale that a column of plain numbers proves, with what proves it. */
export type ProvenScale =
  | { readonly scale: '0-100'; readonly line: number; readonly text: string }
  | { readonly scale: '0-1' };

/** Collects what the plain numbers of one column prove about their scale. */
export interface ScaleEvidence {
  add(cell: Cell | undefined, line: number): void;
  /** null: the column proves nothing. */
  scale(): ProvenScale | null;
  /** True when some number's meaning depends on the scale. */
  isAsked(): boolean;
}

/**
 * How many numbers between 0 and 1, with none above 1, prove a scale of 1. On a scale of 100, these learners would all be below
 * one percent and none at two or more, which no real scores show.
 */
const FRACTIONS_THAT_PROVE = 10;

/**
 * Evidence before any cell. A number above 1 (and up to 100) proves a scale of 100, wherever it stands; only the whole column
 * proves a scale of 1. Percentages and fractions such as 9/10 are no evidence for plain numbers.
 */
export function createScaleEvidence(decimalMark: DecimalMark): ScaleEvidence {
  let above: ProvenScale | null = null;
  let fractions = 0;
  let isAsked = false;
  return {
    add: (cell, line) => {
      const number = plainScore(cell, decimalMark);
      if (number === null || !(number > 0 && number <= 100)) return;
      if (number > 1) above ??= { scale: '0-100', line, text: cellText(cell) };
      else isAsked = true;
      if (number < 1) fractions += 1;
    },
    scale: () => above ?? (fractions >= FRACTIONS_THAT_PROVE ? { scale: '0-1' } : null),
    isAsked: () => isAsked,
  };
}
