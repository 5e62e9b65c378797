import type { SourceConfig } from '../../../config/schema.js';
import { statusKey } from '../../values/status.js';
import { wordSet } from '../../values/word-pattern.js';
import { statusHeader } from '../status-header.js';
import { type WordKind, wordReader } from '../word-kind.js';
import type { DecidingColumn } from './deciding-columns.js';

/** What a cell says about its row: that it counts, or nothing; that it doesn't; or what only a person knows. */
export type Verdict = 'counts' | 'against' | 'unclear';

/** The function that returns the verdict of a word in a column; the source's own words, and those that
 * the correction workbook asks for, go before all others. */
export function wordVerdicts(
  { kind, header }: DecidingColumn,
  own: SourceConfig['status'],
): (text: string) => Verdict {
  const counting = new Set(own.completed.map(statusKey));
  const against = new Set(own.notCompleted.map(statusKey));
  const kindOf = wordReader(own);
  const verdict = VERDICTS[kind](statusHeader(header));
  return (text) => {
    const key = statusKey(text);
    if (counting.has(key) || key === 'completed') return 'counts';
    if (against.has(key) || key === 'not completed') return 'against';
    return verdict(CROSSES.has(key) ? 'unknown' : kindOf(text), key);
  };
}

type WordVerdict = (word: WordKind, key: string) => Verdict;

const VERDICTS: Readonly<
  Record<DecidingColumn['kind'], (says: ReturnType<typeof statusHeader>) => WordVerdict>
> = {
  progress: () => (word) => OF_COMPLETION[word] ?? 'unclear',
  flag: () => (word, key) => {
    if (word === 'no' || untouched().has(key)) return 'counts';
    return word === 'yes' || word === 'mark' || word === 'against' || voided().has(key)
      ? 'against'
      : 'unclear';
  },
  certificate: () => (word, key) => {
    if (voided().has(key)) return 'against';
    return word === 'completed' || word === 'loosely completed' || valid().has(key) ? 'counts' : 'unclear';
  },
  outcome: (says) => (word, key) => {
    // A score, or the number of days attended.
    if (/^\d/.test(key) && (says === 'status' || word === 'unknown')) return 'counts';
    if (says === 'failing' && (word === 'yes' || word === 'mark')) return 'against';
    if (says === 'failing' && word === 'no') return 'counts';
    return grades().has(key) ? 'counts' : (OF_COMPLETION[word] ?? 'unclear');
  },
  state: () => (word) => (word === 'against' ? 'against' : 'counts'),
};

const OF_COMPLETION: Partial<Record<WordKind, Verdict>> = {
  completed: 'counts',
  'loosely completed': 'counts',
  yes: 'counts',
  mark: 'counts',
  against: 'against',
  no: 'against',
};

/** A cross marks a box, or says no. */
const CROSSES = new Set(['x', '×']);

const voided = wordSet('status.void');
/** In a column of flags. */
const untouched = wordSet('status.untouched');
/** A certificate that has run out was one: the course was completed. */
const valid = wordSet('status.valid');
/** Grades of those who have passed. */
const grades = wordSet('status.grade');
