import { type Cell, cellText, isBlankCell, isDateCell, isUnsavedFormula } from '../../domain/row.js';
import { SCORE_SCALES, type ScoreScale } from '../../operations/score-scales.js';
import { ABSENT, type ColumnEvidence, type Reading, refuse, shown, UNDECIDED } from './reading.js';
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
    const remedy = 'nothing to do; to have such rows refused, set scoreUnreadable: invalid for the source';
    const { issue } = refuse('score-left-out', column, cell, `${because}, and is left out`, remedy);
    return { value: null, omitted: issue };
  }
  const remedy = `${REMEDY}. To send such rows without a score, set scoreUnreadable: left-out for the source; where the column holds no scores at all, columns: { ${field}: null }`;
  return refuse('score-invalid', column, cell, because, remedy);
}

const REMEDY =
  'write the score as a number from 0 to 100, as 85% or as 9/10; set scale for the source where another number than 100 is the best, such as scale: 0-1';

const SET_MARK = 'set decimalMark: "," for the source in registrar.yaml if the comma separates decimals';
const NAME_STATUS =
  'remove such rows from the file, or name the column that says who has completed: columns: { status: … } for the source in registrar.yaml; where they are completions anyway, columns: { status: null }';

const noScores = wordSet('status.no-score');

function fromText(cell: string, context: ScoreContext): Reading<number> {
  const text = trimText(cell.normalize('NFKC'));
  const share = shareIn(text, context.decimalMark);
  if (share !== null) return inRange(share, cell, context);
  // Without its score the row would be a completion like any other.
  if (context.verdicts?.get(statusKey(text)) === 'not-completed') {
    const because = 'says that the learner has not completed, and no column is the status';
    return refuse('score-invalid', context.column, cell, because, NAME_STATUS);
  }
  if (isPlaceholder(text) || noScores().has(text.toLowerCase().replace(/\s+/g, ' '))) return ABSENT;
  if (MAYBE_THOUSANDS.test(text)) {
    const because = 'may have decimals or a separator of thousands';
    return refuse('score-invalid', context.column, cell, because, SET_MARK);
  }
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
  const because = `is not between ${worst} and ${best}, the scale that registrar.yaml gives for this source`;
  const remedy = 'correct the score, or the scale of the source, such as scale: 0-100';
  return refuse('score-invalid', context.column, cell, because, remedy);
}

/** 0 is 0 on each scale, and a number above 10 can only be one of 100. */
function undeclared(number: number, cell: Cell, context: ScoreContext): Reading<number> {
  const { proven, isWholeColumn } = context;
  if (!(number > 0 && number <= LOW_MAX)) return inRange(number, cell, context);
  if (proven === null && !isWholeColumn) return UNDECIDED;
  if (proven !== null && number >= 1) return inRange(number, cell, context);
  const because =
    proven === null
      ? 'may be of 1, of 10 or of 100: no score of the column is above 10'
      : `is below 1, although line ${proven.line} ("${shown(proven.text)}") is of 100: the column may mix two scales`;
  return refuse('score-scale-unknown', context.column, cell, because, SET_SCALE);
}

const SET_SCALE =
  'set scale for the source in registrar.yaml: 0-100 or, where another number is the best, 0-1, 0-10, 0-5, 0-4 or 1-5';

function inRange(score: number, cell: Cell, context: ScoreContext): Reading<number> {
  // 0.29 × 100 is 28.999999999999996 for a computer; adding 0 turns −0 into 0.
  if (score >= 0 && score <= 100) return { value: Math.round(score * 1e6) / 1e6 + 0 };
  return refuse('score-invalid', context.column, cell, 'is not between 0 and 100', REMEDY);
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
