import type { SourceConfig } from '../../config/schema.js';
import type { Cell } from '../../domain/row.js';
import { copyOf } from '../values/remembering.js';
import { statusVocabulary } from './status.js';
import { statusHeader } from './status-header.js';
import { statusKey } from './status-words.js';

/** A word of a column, as its first cell has it. */
export interface SeenWord {
  readonly text: string;
  readonly count: number;
  /** Of the first. */
  readonly line: number;
  /** True when it says, or may say, that a learner has not completed. */
  readonly isAgainst: boolean;
  /** What kind of word it is where the vocabulary alone can't read it. */
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
  /** False when the column is clearly of other texts. */
  isOpen(): boolean;
  /** Those that speak against their rows first, then by their number; a bounded number of them. */
  words(): readonly SeenWord[];
  /** Blank cells, where they speak against their rows; else 0. */
  blanks(): number;
  /** True when yes is what speaks against a row: "Failed: Yes". */
  isReversed(): boolean;
}

/**
 * Evidence before any cell. By its values a column is a status that speaks against some rows when
 *
 * - it holds words such as Failed or In progress, and half of its cells or more are words of the status vocabulary, or
 *   its other words are few: it is then no column of remarks. Words that are said of much else too (Approved, Assigned,
 *   Pending, Expired) count where the header says that it is a state, or a word such as Completed stands beside them;
 * - or its header says that it is about passing, completing, attending, or is a state or outcome, and it holds yes and no
 *   (marks and empty cells), or words of completion with empty or unknown ones among them.
 *
 * Where all cells say completed there is nothing to ask.
 */
export function createStatusEvidence(header: string, own: SourceConfig['status']): StatusEvidence {
  const says = statusHeader(header);
  const isAboutCompletion = says === 'completing' || says === 'failing' || says === 'status';
  const kindOf = wordReader(own);
  const known = new Map<string, Kind>();
  const seen = new Map<string, { text: string; kind: Kind; count: number; line: number }>();
  const counts: Record<Kind, number> = {
    completed: 0,
    against: 0,
    'loosely completed': 0,
    'loosely against': 0,
    yes: 0,
    no: 0,
    mark: 0,
    unknown: 0,
  };
  let blank = 0;
  let unknownWords = 0;
  let lastText = '';
  let lastWord: { kind: Kind; count: number } | null = null;
  let verdict = false;

  return {
    add: (cell, line) => {
      if (typeof cell === 'object') {
        addUnknown();
      } else {
        addText(String(cell), line);
      }
      verdict = isAgainst();
    },
    addBlank: () => {
      blank += 1;
      if (blank === 1) verdict = isAgainst();
    },
    isAsked: () => verdict,
    isOpen: () => unknownWords <= MOST_UNKNOWN || counts.unknown <= statusWords(),
    words: () =>
      [...seen.values()]
        .map(({ text, kind, count, line }) => ({
          text,
          count,
          line,
          isAgainst: speaksAgainst(kind),
          means: MEANS[kind] ?? 'known',
        }))
        .sort((a, b) => Number(b.isAgainst) - Number(a.isAgainst) || b.count - a.count),
    blanks: () => (isAboutCompletion && blank > 0 ? blank : 0),
    isReversed,
  };

  function addText(text: string, line: number): void {
    if (lastWord !== null && text === lastText) {
      counts[lastWord.kind] += 1;
      lastWord.count += 1;
      return;
    }
    if (text.length > LONGEST_WORD) {
      addUnknown();
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
    } else if (kind === 'unknown' && unknownWords >= MOST_UNKNOWN) {
      addUnknown();
    } else {
      counts[kind] += 1;
      if (kind === 'unknown') unknownWords += 1;
      seen.set(copyOf(key), { text: copyOf(text), kind, count: 1, line });
    }
  }

  /** Something that is no word, or one too many. */
  function addUnknown(): void {
    counts.unknown += 1;
    unknownWords += 1;
  }

  function isAgainst(): boolean {
    const isRemark = unknownWords > MOST_UNKNOWN;
    if (counts.against > 0 && (!isRemark || counts.unknown <= statusWords())) return true;
    const isState = says === 'completing' || says === 'status';
    if (says === 'other') return false;
    if (counts['loosely against'] > 0 && (isState || counts.completed > 0)) {
      if (counts.unknown <= statusWords()) return true;
    }
    if (says === 'failing') return counts.yes + counts.mark > 0 && isYesOrNo();
    if (!isState) return false;
    if (counts.completed > 0 && blank + counts.unknown > 0 && counts.unknown <= counts.completed) return true;
    const isMarked = counts.yes + counts.mark > 0;
    // NE is a state of America, and no in Czech.
    const isDenied = counts.no > 0 && (isMarked || says === 'completing');
    return (isDenied || (isMarked && blank > 0)) && isYesOrNo();
  }

  function statusWords(): number {
    return counts.completed + counts.against + counts['loosely completed'] + counts['loosely against'];
  }

  /** But for typing errors: a column of numbers may hold a 1. */
  function isYesOrNo(): boolean {
    return counts.unknown * 10 <= counts.yes + counts.no + counts.mark;
  }

  function isReversed(): boolean {
    return says === 'failing' && counts.against === 0 && counts.yes + counts.mark > 0;
  }

  function speaksAgainst(kind: Kind): boolean {
    if (kind === 'against' || kind === 'loosely against') return true;
    if (says === 'failing') return kind === 'yes' || kind === 'mark';
    return kind === 'no' || (kind === 'unknown' && isAboutCompletion);
  }
}

/** What a word says of its row's learner. Loosely: where it stands among others of a status. */
type Kind =
  | 'completed'
  | 'against'
  | 'loosely completed'
  | 'loosely against'
  | 'yes'
  | 'no'
  | 'mark'
  | 'unknown';

const MEANS: Partial<Record<Kind, SeenWord['means']>> = {
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

function wordReader(own: SourceConfig['status']): (text: string) => Kind {
  const vocabulary = statusVocabulary(own);
  const ownWords = new Set([...own.completed, ...own.notCompleted].map(statusKey));
  const meaningOf = (key: string): Kind => {
    const meaning = vocabulary.get(key);
    if (meaning === undefined) return 'unknown';
    const counts = meaning === 'completed' || (meaning !== 'not-completed' && own[meaning] === 'completed');
    if (!ownWords.has(key) && LOOSE.has(key)) return counts ? 'loosely completed' : 'loosely against';
    return counts ? 'completed' : 'against';
  };
  return (text) => {
    const key = statusKey(text);
    if (YES.has(key)) return 'yes';
    if (NO.has(key)) return 'no';
    if (MARKS.has(key)) return 'mark';
    const kind = meaningOf(key);
    // "Failed (2nd attempt)", "Failed!"
    const bare = withoutRemark(key);
    return kind === 'unknown' && !YES.has(bare) && !NO.has(bare) ? meaningOf(bare) : kind;
  };
}

function withoutRemark(key: string): string {
  const bracket = key.indexOf('(');
  if (bracket >= 0 && key.endsWith(')')) return key.slice(0, bracket).replace(/ $/, '');
  return key.replace(/(?<![.!*])[.!*]+$/, '').replace(/ $/, '');
}

const YES = new Set(
  'yes y true 1 ja j wahr oui o vrai sí si s verdadero sim vero tak prawda ano да はい 是 예 evet'.split(' '),
);
const NO = new Set(
  'no n false 0 nein falsch non faux falso nee nej nei não nao nie fałsz ne нет いいえ 否 아니요 hayır ✗ ✘ ☐ ❌'.split(
    ' ',
  ),
);
const MARKS = new Set('x × ✓ ✔ ✔️ ☑ ✅ ●'.split(' '));

/** Said of requests, accounts, payments and certificates as often as of learning. */
const LOOSE: ReadonlySet<string> = new Set([
  'present',
  'satisfied',
  'successful',
  'certified',
  'done',
  'aprobado',
  'aprobada',
  'registered',
  'enrolled',
  'assigned',
  'approved',
  'requested',
  'pending',
  'overdue',
  'past due',
  'waiting',
  'subscribed',
  'suspended',
  'cancelled',
  'canceled',
  'started',
  'expired',
  'equivalent',
  'angemeldet',
  'eingeschrieben',
  'abgemeldet',
  'storniert',
  'ausstehend',
  'überfällig',
  'offen',
  'abgelaufen',
  'gleichwertig',
  'inscrit',
  'inscrite',
  'annulé',
  'annulée',
  'en retard',
  'en attente',
  'expiré',
  'expirée',
  'équivalent',
  'inscrito',
  'cancelado',
  'cancelada',
  'pendiente',
  'caducado',
  'caducada',
  'equivalente',
]);
