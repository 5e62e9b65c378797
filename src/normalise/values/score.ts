import { type Cell, cellText, isBlankCell, isDateCell, isUnsavedFormula } from '../../domain/row.js';
import { SCORE_SCALES, type ScoreScale } from '../../operations/score-scales.js';
import { ABSENT, type ColumnEvidence, type Reading, refuseFor, shown, UNDECIDED } from './reading.js';
import { type StatusVocabulary, statusKey } from './status.js';
import { isPlaceholder, trimText } from './trim-text.js';
import { wordSet } from './word-pattern.js';

export interface ScoreContext {
  readonly column: string;
  readonly field: string;
  /** The scale of plain numbers, as the source declares it; null: it declares none. A percentage or a fraction carries its own. */
  readonly scale: ScoreScale | null;
  /** What proves a scale of 100 where the source declares none; null: nothing in the column. */
  readonly proven: ScoreOf100 | null;
  /** False where only the first rows of the drop are known: then a scale neither declared nor proven is undecided. */
  readonly isWholeColumn: boolean;
  /** The treatment of a cell without a number: its row is invalid, or a record without a score. */
  readonly unreadable: 'left-out' | 'invalid';
  /** null: point or comma, where it can't separate thousands. */
  readonly decimalMark: DecimalMark;
  /** Words that say who has completed, where no other cell of the row does; null: a status or the source does. */
  readonly verdicts: StatusVocabulary | null;
}

/**
 * A score from 0 to 100 with at most six decimals; 0 is a score. Words that only say that the course was passed count as absent, words
 * that say that it wasn't are refused where no status says so, and so is all else that is no number.
 */
export function readScore(cell: Cell | undefined, context: ScoreContext): Reading<number> {
  if (isBlankCell(cell)) return ABSENT;
  const number = plainScore(cell, context.decimalMark);
  if (number !== null) return unscaled(number, cell ?? null, context);
  if (typeof cell === 'string') return fromText(cell, context);
  if (typeof cell === 'object' && cell !== null && 'percent' in cell)
    return inRange(cell.percent, cell, context);
  if (typeof cell === 'boolean') return unreadable(cell, 'is a truth value, not a score', context);
  const because = isDateCell(cell)
    ? 'is a date (a spreadsheet turns 9/10 into one), not a score'
    : 'is an error of a spreadsheet formula, not a score';
  return unreadable(cell, because, context);
}

/** The result for a cell that is no number at all. A number that is out of range, or ambiguous, is never left out: it is a score. */
function unreadable(cell: Cell | undefined, because: string, { column, field, unreadable }: ScoreContext) {
  // A formula whose value was not saved may well be a score.
  if (unreadable === 'left-out' && !isUnsavedFormula(cell)) {
    return { value: null, omitted: refuseFor('score-left-out', column, cell, { because }).issue };
  }
  return refuseFor('no-score', column, cell, { because, field });
}

const noScores = wordSet('status.no-score');

function fromText(cell: string, context: ScoreContext): Reading<number> {
  const text = trimText(cell.normalize('NFKC'));
  const share = shareIn(text, context.decimalMark);
  if (share !== null) return inRange(share, cell, context);
  // Without its score the row would be a completion like any other.
  if (context.verdicts?.get(statusKey(text)) === 'not-completed')
    return refuseFor('verdict-as-score', context.column, cell);
  if (isPlaceholder(text) || noScores().has(text.toLowerCase().replace(/\s+/g, ' '))) return ABSENT;
  if (MAYBE_THOUSANDS.test(text)) return refuseFor('decimals-or-thousands', context.column, cell);
  return unreadable(cell, 'is not a score', context);
}

function unscaled(number: number, cell: Cell, context: ScoreContext): Reading<number> {
  const { scale } = context;
  if (scale === null) return undeclared(number, cell, context);
  if (scale === '0-100') return inRange(number, cell, context);
  const { worst, best } = SCORE_SCALES[scale];
  if (number >= worst && number <= best) {
    return inRange(((number - worst) * 100) / (best - worst), cell, context);
  }
  return refuseFor('beyond-scale', context.column, cell, { worst, best });
}

/** 0 is 0 on each scale, and a number above 10 can only be one of 100. */
function undeclared(number: number, cell: Cell, context: ScoreContext): Reading<number> {
  const { proven, isWholeColumn } = context;
  if (!(number > 0 && number <= LOW_MAX)) return inRange(number, cell, context);
  if (proven === null && !isWholeColumn) return UNDECIDED;
  if (proven !== null && number >= 1) return inRange(number, cell, context);
  if (proven === null) return refuseFor('scale-unknown', context.column, cell);
  return refuseFor('scales-mixed', context.column, cell, { line: proven.line, text: shown(proven.text) });
}

function inRange(score: number, cell: Cell, context: ScoreContext): Reading<number> {
  // 0.29 × 100 is 28.999999999999996 for a computer; adding 0 turns −0 into 0.
  if (score >= 0 && score <= 100) return { value: Math.round(score * 1e6) / 1e6 + 0 };
  return refuseFor('beyond-hundred', context.column, cell);
}

/** The mark before the decimals, as a source declares it; null: it declares none. */
export type DecimalMark = '.' | ',' | null;

/** The number of a cell that doesn't carry its own scale; null for every other cell. */
export function plainScore(cell: Cell | undefined, decimalMark: DecimalMark): number | null {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' ? numberIn(trimText(cell.normalize('NFKC')), decimalMark) : null;
}

/** The share of a hundred that 85 % or 9/10 is; null for a text of neither form. */
export function shareIn(text: string, decimalMark: DecimalMark): number | null {
  if (text.endsWith('%')) return numberIn(text.slice(0, -1).trimEnd(), decimalMark);
  const slash = text.indexOf('/');
  if (slash <= 0) return null;
  const points = numberIn(text.slice(0, slash).trimEnd(), decimalMark);
  const outOf = numberIn(text.slice(slash + 1).trimStart(), decimalMark);
  return points === null || outOf === null ? null : (points / outOf) * 100;
}

/** A number with at most one decimal point or comma; null for anything else, and for what may be thousands ("1,234"). */
function numberIn(text: string, decimalMark: DecimalMark): number | null {
  if (!/^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text)) return null;
  if (decimalMark === null ? MAYBE_THOUSANDS.test(text) : text.includes(OTHER_MARK[decimalMark])) return null;
  return Number(text.replace(',', '.'));
}

const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2},\d{3}$/;

const OTHER_MARK = { '.': ',', ',': '.' } as const;

/** A score that only a scale of 100 can have. */
export interface ScoreOf100 {
  readonly line: number;
  readonly text: string;
}

/** The best score of the largest scale that scores of 100 could be taken for. */
const LOW_MAX = 10;

/**
 * Evidence before any cell: a number above 10 (and up to 100) proves a scale of 100, wherever it is, and nothing proves another.
 * Percentages and fractions such as 9/10 are no evidence for plain numbers, nor is 0.
 */
export function createScaleEvidence(decimalMark: DecimalMark): ColumnEvidence<ScoreOf100> {
  let high: ScoreOf100 | null = null;
  let isLow = false;
  return {
    add: (cell, line) => {
      const number = high === null ? plainScore(cell, decimalMark) : null;
      if (number === null || !(number > 0 && number <= 100)) return;
      if (number > LOW_MAX) high = { line, text: cellText(cell) };
      else isLow = true;
    },
    proof: () => high,
    isAsked: () => high === null && isLow,
  };
}
