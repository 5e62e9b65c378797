import type { SourceConfig } from '../../config/schema.js';
import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import type { Cell } from '../../domain/row.js';
import { normaliseHeader } from '../header/header-text.js';
import { copyOf } from '../values/reading.js';
import { statusKey, statusVocabulary } from '../values/status.js';
import { expressionOf, hasWordOf, wordSet } from '../values/word-pattern.js';

/** A word of a column, as its cells have it. */
interface SeenWord {
  readonly text: string;
  readonly kind: WordKind;
  count: number;
  /** Of the first. */
  readonly line: number;
}

/** Collects whether the values of one column say who has completed and who has not. */
export type StatusEvidence = ReturnType<typeof createStatusEvidence>;

/**
 * Collects whether the values of one column say who has completed and who has not. It is a status that counts against some rows when
 *
 * - it holds words such as Failed or In progress, and half of its cells or more are words of the status vocabulary, or its other
 *   words are few: then it is no column of remarks. Words with other uses (Approved, Assigned, Pending, Expired) count where the
 *   header names a state, or where they occur with a word such as Completed;
 * - or its header is about passing, completing, attending, or names a state or outcome, and it holds yes and no (marks and empty
 *   cells), or words of completion with empty or unknown ones among them.
 *
 * Where all cells say completed there is no question.
 */
export function createStatusEvidence(header: string, own: SourceConfig['status']) {
  const says = statusHeader(header);
  const isAboutCompletion = says === 'completing' || says === 'failing' || says === 'status';
  const kindOf = wordReader(own);
  const words = new Map<string, SeenWord>();
  const counts = Object.fromEntries(WORD_KINDS.map((kind) => [kind, 0])) as Tally['counts'];
  const tally: Tally = { counts, blank: 0, unknownWords: 0 };
  let cells = 0;
  /** True once the column clearly holds other texts. */
  let isClosed = false;
  const isAgainst = ({ kind }: SeenWord) => {
    if (kind === 'against' || kind === 'loosely against') return true;
    if (says === 'failing') return kind === 'yes' || kind === 'mark';
    return kind === 'no' || (kind === 'unknown' && isAboutCompletion);
  };

  return {
    add: (cell: Cell | undefined, line: number) => {
      if (isClosed) return;
      const text = typeof cell === 'object' ? '' : String(cell);
      const counted = words.get(text);
      const kind = counted?.kind ?? (text.length > LONGEST_WORD ? 'unknown' : kindOf(text));
      counts[kind] += 1;
      cells += 1;
      isClosed =
        cells === JUDGED_CELLS && tally.unknownWords > MAX_UNKNOWN && counts.unknown > statusWords(counts);
      if (counted) counted.count += 1;
      else {
        if (kind === 'unknown') tally.unknownWords += 1;
        const isRemark = kind === 'unknown' && tally.unknownWords > MAX_UNKNOWN;
        if (text === '' || text.length > LONGEST_WORD || isRemark || words.size === MAX_WORDS) return;
        const copy = copyOf(text);
        words.set(copy, { text: copy, kind, count: 1, line });
      }
    },
    /** Adds a blank cell of a row that names a learner. */
    addBlank: () => {
      tally.blank += 1;
    },
    /** True when the column seems to be a status, and some of its rows not to be completed. */
    isAsked: () => speaksAgainst(says, tally),
    /** Words that count against their rows first, then by frequency; a bounded number of them. */
    words: () =>
      [...words.values()].sort((a, b) => Number(isAgainst(b)) - Number(isAgainst(a)) || b.count - a.count),
    isAgainst,
    /** Blank cells that count against their rows. */
    blanks: () => (isAboutCompletion ? tally.blank : 0),
    /** True when a yes counts against a row: "Failed: Yes". */
    isReversed: () => says === 'failing' && counts.against === 0 && counts.yes + counts.mark > 0,
  };
}

interface Tally {
  readonly counts: Record<WordKind, number>;
  /** Blank cells of rows that name a learner. */
  blank: number;
  /** Different words outside the vocabulary as cells write them, and cells that are no word. */
  unknownWords: number;
}

/** Whether the column seems to be a status that counts against some rows. */
function speaksAgainst(says: StatusHeader, { counts, blank, unknownWords }: Tally): boolean {
  const isRemark = unknownWords > MAX_UNKNOWN;
  if (counts.against > 0 && (!isRemark || counts.unknown <= statusWords(counts))) return true;
  const isState = says === 'completing' || says === 'status';
  if (says === 'other') return false;
  if (counts['loosely against'] > 0 && (isState || counts.completed > 0)) {
    if (counts.unknown <= statusWords(counts)) return true;
  }
  if (says === 'failing') return counts.yes + counts.mark > 0 && isYesOrNo(counts);
  if (!isState) return false;
  if (counts.completed > 0 && blank + counts.unknown > 0 && counts.unknown <= counts.completed) return true;
  const isMarked = counts.yes + counts.mark > 0;
  // NE is a state of America, and no in Czech.
  const isDenied = counts.no > 0 && (isMarked || says === 'completing');
  return (isDenied || (isMarked && blank > 0)) && isYesOrNo(counts);
}

function statusWords(counts: Tally['counts']): number {
  return counts.completed + counts.against + counts['loosely completed'] + counts['loosely against'];
}

/** Allows typing errors; a column of numbers may hold a 1. */
function isYesOrNo(counts: Tally['counts']): boolean {
  return counts.unknown * 10 <= counts.yes + counts.no + counts.mark;
}

/** More different words outside the vocabulary make a column of remarks, names or numbers. */
const MAX_UNKNOWN = 8;

const MAX_WORDS = 256;

/** So many cells show whether a column holds other texts, and need no further look. */
const JUDGED_CELLS = 50;

/** A longer text is no word. */
const LONGEST_WORD = 60;

const WORD_KINDS = [
  ...(['completed', 'against', 'loosely completed', 'loosely against'] as const),
  ...(['yes', 'no', 'mark', 'unknown'] as const),
] as const;

/** What a word says about its row's learner. Loosely: only among other words of a status. */
export type WordKind = (typeof WORD_KINDS)[number];

/** The function that returns the kind of a word, by the vocabulary and by the source's own words. */
export function wordReader(own: SourceConfig['status']): (text: string) => WordKind {
  const vocabulary = statusVocabulary(own);
  const ownWords = new Set([...own.completed, ...own.notCompleted].map(statusKey));
  const meaningOf = (key: string): WordKind => {
    const meaning = vocabulary.get(key);
    if (meaning === undefined) return 'unknown';
    const counts = meaning === 'completed' || (meaning !== 'not-completed' && own[meaning] === 'completed');
    if (!ownWords.has(key) && uncertainWords().has(key))
      return counts ? 'loosely completed' : 'loosely against';
    return counts ? 'completed' : 'against';
  };
  return (text) => {
    const key = statusKey(text);
    if (yesWords().has(key)) return 'yes';
    if (noWords().has(key) || CROSSED_OUT.has(key)) return 'no';
    if (MARKS.has(key)) return 'mark';
    const kind = meaningOf(key);
    // "Failed (2nd attempt)", "Failed!"
    const bare = withoutRemark(key);
    return kind === 'unknown' && !yesWords().has(bare) && !noWords().has(bare) ? meaningOf(bare) : kind;
  };
}

function withoutRemark(key: string): string {
  const bracket = key.indexOf('(');
  if (bracket >= 0 && key.endsWith(')')) return key.slice(0, bracket).replace(/ $/, '');
  return key.replace(/(?<![.!*])[.!*]+$/, '').replace(/ $/, '');
}

const yesWords = wordSet('status.yes');
const noWords = wordSet('status.no');
const CROSSED_OUT = new Set(['✗', '✘', '☐', '❌']);
const MARKS = new Set(['x', '×', '✓', '✔', '✔️', '☑', '✅', '●']);

/** Said of requests, accounts, payments and certificates as often as of learning. */
const uncertainWords = wordSet('status.uncertain');

/**
 * The meaning of a header over a column of words. `completing`: who has passed, attended, finished. `failing`: the contrary, so
 * that yes is bad. `status`: a state or an outcome. `other`: plainly something else, such as an approval. null: none of these.
 */
export type StatusHeader = 'completing' | 'failing' | 'status' | 'other' | null;

/** Judges a header by its words, in the languages of exports. It is a hint: the column's values decide. */
export function statusHeader(header: string): StatusHeader {
  const { text } = normaliseHeader(header);
  if (isOther(text)) return 'other';
  if (isFailing(text) || isNotCompleting().test(text)) return 'failing';
  if (isCompleting(text)) return 'completing';
  return isStatus(text) ? 'status' : null;
}

/** Of people, contracts, money and rules: "Approval status", "Employment status", "Enrolment type", "Mandatory". */
const isOther = hasWordOf('status-headers.other');
const isFailing = hasWordOf('status-headers.failing');
const isCompleting = hasWordOf('status-headers.completing');
const isStatus = hasWordOf('status-headers.status');

/** "Not passed", "nicht ganz bestanden". */
const isNotCompleting = once(() => {
  const oneOf = (list: string) => `(?:${words(list).map(expressionOf).join('|')})`;
  const not = oneOf('status-headers.not');
  return new RegExp(`(?<!\\p{L})${not} (?:\\p{L}+ )?${oneOf('status-headers.completing')}`, 'u');
});
