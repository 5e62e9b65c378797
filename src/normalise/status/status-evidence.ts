import type { SourceConfig } from '../../config/schema.js';
import type { Cell } from '../../domain/row.js';
import { copyOf } from '../values/remembering.js';
import { statusKey } from '../values/status.js';
import { type StatusHeader, statusHeader } from './status-header.js';
import { type WordKind, wordReader } from './word-kind.js';

/** A word of a column, as its first cell has it. */
export interface SeenWord {
  readonly text: string;
  readonly count: number;
  /** Of the first. */
  readonly line: number;
  /** True when the word means, or may mean, that a learner has not completed. */
  readonly isAgainst: boolean;
  /** The kind of the word where the vocabulary alone can't read it. */
  readonly means: 'yes' | 'no' | 'mark' | 'unknown' | 'known';
}

/** Collects whether the values of one column say who has completed and who has not. */
export interface StatusEvidence {
  /** A cell that isn't blank. */
  add(cell: Cell | undefined, line: number): void;
  /** A blank cell of a row that names a learner. */
  addBlank(): void;
  /** True when the column seems to be a status, and some of its rows not to be completed. */
  isAsked(): boolean;
  /** False when the column clearly holds other texts. */
  isOpen(): boolean;
  /** Words that count against their rows first, then by frequency; a bounded number of them. */
  words(): readonly SeenWord[];
  /** The number of blank cells, where they count against their rows; else 0. */
  blanks(): number;
  /** True when a yes counts against a row: "Failed: Yes". */
  isReversed(): boolean;
}

/**
 * Evidence before any cell. By its values a column is a status that counts against some rows when
 *
 * - it holds words such as Failed or In progress, and half of its cells or more are words of the status vocabulary, or its other
 *   words are few: then it is no column of remarks. Words with other uses (Approved, Assigned, Pending, Expired) count where the
 *   header names a state, or where a word such as Completed stands beside them;
 * - or its header is about passing, completing, attending, or names a state or outcome, and it holds yes and no (marks and empty
 *   cells), or words of completion with empty or unknown ones among them.
 *
 * Where all cells say completed there is nothing to ask.
 */
export function createStatusEvidence(header: string, own: SourceConfig['status']): StatusEvidence {
  const says = statusHeader(header);
  const isAboutCompletion = says === 'completing' || says === 'failing' || says === 'status';
  const kindOf = wordReader(own);
  const known = new Map<string, WordKind>();
  const seen = new Map<string, { text: string; kind: WordKind; count: number; line: number }>();
  const tally = emptyTally();
  const { counts } = tally;
  let lastText = '';
  let lastWord: { kind: WordKind; count: number } | null = null;
  let verdict = false;

  return {
    add: (cell, line) => {
      if (typeof cell === 'object') {
        addUnknown(tally);
      } else {
        addText(String(cell), line);
      }
      verdict = isAgainst(says, tally);
    },
    addBlank: () => {
      tally.blank += 1;
      if (tally.blank === 1) verdict = isAgainst(says, tally);
    },
    isAsked: () => verdict,
    isOpen: () => tally.unknownWords <= MOST_UNKNOWN || counts.unknown <= statusWords(counts),
    words: () =>
      [...seen.values()]
        .map(({ text, kind, count, line }) => ({
          text,
          count,
          line,
          isAgainst: speaksAgainst(kind, says, isAboutCompletion),
          means: MEANS[kind] ?? 'known',
        }))
        .sort((a, b) => Number(b.isAgainst) - Number(a.isAgainst) || b.count - a.count),
    blanks: () => (isAboutCompletion && tally.blank > 0 ? tally.blank : 0),
    isReversed: () => says === 'failing' && counts.against === 0 && counts.yes + counts.mark > 0,
  };

  function addText(text: string, line: number): void {
    if (lastWord !== null && text === lastText) {
      counts[lastWord.kind] += 1;
      lastWord.count += 1;
      return;
    }
    if (text.length > LONGEST_WORD) {
      addUnknown(tally);
      return;
    }
    const kind = known.get(text) ?? kindOf(text);
    if (known.size < MOST_TEXTS) known.set(copyOf(text), kind);
    const key = statusKey(text);
    const word = seen.get(key);
    if (word) {
      counts[kind] += 1;
      word.count += 1;
      lastText = text;
      lastWord = word;
    } else if (kind === 'unknown' && tally.unknownWords >= MOST_UNKNOWN) {
      addUnknown(tally);
    } else {
      counts[kind] += 1;
      if (kind === 'unknown') tally.unknownWords += 1;
      seen.set(copyOf(key), { text: copyOf(text), kind, count: 1, line });
    }
  }
}

/** The cells of a column so far. */
interface Tally {
  readonly counts: Record<WordKind, number>;
  /** Blank cells of rows that name a learner. */
  blank: number;
  /** Different words outside the vocabulary, and cells that are no word. */
  unknownWords: number;
}

function emptyTally(): Tally {
  const counts = {
    completed: 0,
    against: 0,
    'loosely completed': 0,
    'loosely against': 0,
    yes: 0,
    no: 0,
    mark: 0,
    unknown: 0,
  };
  return { counts, blank: 0, unknownWords: 0 };
}

/** Counts a cell that is no word, or a word beyond the limit. */
function addUnknown(tally: Tally): void {
  tally.counts.unknown += 1;
  tally.unknownWords += 1;
}

/** Whether the column seems to be a status that counts against some rows. */
function isAgainst(says: StatusHeader, { counts, blank, unknownWords }: Tally): boolean {
  const isRemark = unknownWords > MOST_UNKNOWN;
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

function speaksAgainst(kind: WordKind, says: StatusHeader, isAboutCompletion: boolean): boolean {
  if (kind === 'against' || kind === 'loosely against') return true;
  if (says === 'failing') return kind === 'yes' || kind === 'mark';
  return kind === 'no' || (kind === 'unknown' && isAboutCompletion);
}

const MEANS: Partial<Record<WordKind, SeenWord['means']>> = {
  yes: 'yes',
  no: 'no',
  mark: 'mark',
  unknown: 'unknown',
};

/** More different words outside the vocabulary make a column of remarks, names or numbers. */
const MOST_UNKNOWN = 8;

/** A longer text is no word. */
const LONGEST_WORD = 60;

/** Spellings of words that are remembered. */
const MOST_TEXTS = 256;
