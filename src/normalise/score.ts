import { type Cell, isBlankCell } from '../domain/row.js';
import { ABSENT, type Reading, refuse } from './reading.js';
import { isPlaceholder, trimText } from './trim-text.js';

export interface ScoreContext {
  readonly column: string;
  /** What a plain number means; a percentage or a fraction says it itself. */
  readonly scale: '0-100' | '0-1';
}

/**
 * A score from 0 to 100 with at most six decimals; 0 is a score. Words that only say whether the course was
 * passed are no score and count as absent; letters and everything else that is no number are refused.
 */
export function readScore(cell: Cell | undefined, context: ScoreContext): Reading<number> {
  if (isBlankCell(cell)) return ABSENT;
  if (typeof cell === 'number') return plain(cell, cell, context);
  if (typeof cell === 'string') return fromText(cell, context);
  if (typeof cell === 'object' && cell !== null && 'percent' in cell)
    return inRange(cell.percent, cell, context);
  const kind = typeof cell === 'boolean' ? 'is a truth value' : notNumber(cell);
  return refuse('score-invalid', context.column, cell, `${kind}, not a score`, REMEDY);
}

const REMEDY =
  'write the score as a number from 0 to 100, as 85% or as 9/10; set scale: 0-1 for the source where 1 is the best';

const NO_SCORE = new Set([
  'not attempted',
  'none',
  'pass',
  'passed',
  'fail',
  'failed',
  'complete',
  'completed',
]);

function fromText(cell: string, context: ScoreContext): Reading<number> {
  const text = trimText(cell.normalize('NFKC'));
  const number = toNumber(text);
  if (number !== null) return plain(number, cell, context);
  if (text.endsWith('%')) {
    const percent = toNumber(text.slice(0, -1).trimEnd());
    if (percent !== null) return inRange(percent, cell, context);
  }
  const slash = text.indexOf('/');
  if (slash > 0) {
    const points = toNumber(text.slice(0, slash).trimEnd());
    const outOf = toNumber(text.slice(slash + 1).trimStart());
    if (points !== null && outOf !== null) return inRange((points / outOf) * 100, cell, context);
  }
  if (isPlaceholder(text) || NO_SCORE.has(text.toLowerCase().replace(/\s+/g, ' '))) return ABSENT;
  return refuse('score-invalid', context.column, cell, 'is not a score', REMEDY);
}

/** A number with decimal point or decimal comma and at most one of them; null for anything else. */
function toNumber(text: string): number | null {
  return /^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : null;
}

function plain(number: number, cell: Cell, context: ScoreContext): Reading<number> {
  if (context.scale === '0-100') return inRange(number, cell, context);
  if (number >= 0 && number <= 1) return inRange(number * 100, cell, context);
  return refuse(
    'score-invalid',
    context.column,
    cell,
    'is not between 0 and 1, the scale that registrar.yaml gives for this source',
    'correct the score, or set scale: 0-100 for the source',
  );
}

function inRange(score: number, cell: Cell, context: ScoreContext): Reading<number> {
  if (score >= 0 && score <= 100) return { value: withoutFloatNoise(score) };
  return refuse('score-invalid', context.column, cell, 'is not between 0 and 100', REMEDY);
}

/** 0.29 × 100 is 28.999999999999996 for a computer; adding 0 turns −0 into 0. */
function withoutFloatNoise(score: number): number {
  return Math.round(score * 1e6) / 1e6 + 0;
}

function notNumber(cell: Cell | undefined): string {
  const isDate = typeof cell === 'object' && cell !== null && 'date' in cell;
  return isDate ? 'is a date (a spreadsheet turns 9/10 into one)' : 'is an error of a spreadsheet formula';
}
