import type { Operation } from '../../../operations/operation.js';
import { headerKey, normaliseHeader } from '../../header/header-text.js';
import type { FoundHeader } from '../../mapping/find-header.js';
import { aliasMatches } from '../../mapping/header-aliases.js';
import { isAdded } from '../../mapping/header-column.js';
import type { WatchSource } from '../../profile/profile.js';
import { wordSet } from '../../values/word-pattern.js';

/** A column beside the status that says whether a row counts. */
export interface DecidingColumn {
  /** From 0, column A. */
  readonly index: number;
  /** As the file has it. */
  readonly header: string;
  /** `state`: another name of the status, of which only clear words against the row count. */
  readonly kind: DecidingKind | 'state';
}

/** The columns that neither a field takes nor Registrar has added nor the source ignores, in file order. */
export function freeColumns(
  { columns, match }: Pick<FoundHeader, 'columns' | 'match'>,
  source: Pick<WatchSource, 'status'>,
): readonly { readonly index: number; readonly header: string }[] {
  const mapped = new Set(Object.values(match.mapped).map(({ index }) => index));
  const ignored = new Set(source.status.ignore.map(headerKey));
  return columns.flatMap((header, index) =>
    mapped.has(index) || isAdded(header) || ignored.has(headerKey(header)) ? [] : [{ index, header }],
  );
}

/**
 * The columns that no field takes and that say whether a row counts, in file order; none where the operation has no status, and
 * without those that the source ignores. Words of an outcome count beside a status: without one `watchStatus` questions whether
 * they are the status, and `status: null` says that no column is.
 */
export function decidingColumns(
  found: Pick<FoundHeader, 'columns' | 'match'>,
  operation: Operation,
  source: WatchSource,
): readonly DecidingColumn[] {
  const status = operation.fields.find(({ kind }) => kind === 'status');
  if (!status) return [];
  const hasStatus =
    found.match.mapped[status.name] !== undefined || source.defaults[status.name] !== undefined;
  return freeColumns(found, source).flatMap(({ index, header }) => {
    const isName = () =>
      aliasMatches(normaliseHeader(header).text, operation).some(({ field }) => field === status.name);
    const kind = decidingKind(header) ?? (isName() ? 'state' : null);
    if (kind === null || ((kind === 'outcome' || kind === 'state') && !hasStatus)) return [];
    return [{ index, header, kind }];
  });
}

/**
 * What a column beside the status says about its rows. `progress`: how much of the course is done, as a share. `flag`: yes where
 * the row doesn't count (withdrawn, revoked, deleted, a test). `certificate`: the state of the certificate. `outcome`: a word or
 * a yes for learners who have passed or attended.
 */
export type DecidingKind = 'progress' | 'flag' | 'certificate' | 'outcome';

/**
 * The kind of column that a header names, word by word: a word that none of the lists has makes it another column ("Progress
 * notes", "User deleted", "Test result sent"). null: it names none. "% Marked Completed" is none: learners mark and unmark
 * lessons, and it falls again when a course grows.
 */
export function decidingKind(header: string): DecidingKind | null {
  const words = wordsOf(header);
  const own = words.filter((word) => !fillers().has(word));
  if (own.length === 0) return null;
  if (own.every(isIn(progress, share, done, about)) && isShare(own)) return 'progress';
  if (own.some(isIn(certificate))) {
    if (own.every(isIn(certificate, state))) return own.some(isIn(state)) ? 'certificate' : null;
    return own.every(isIn(certificate, voided)) ? 'flag' : null;
  }
  if (own.includes('test') && words.some((word) => TEST_MARKS.has(word))) {
    return own.every((word) => word === 'test' || TEST_MARKS.has(word)) ? 'flag' : null;
  }
  if (own.some(isIn(voided))) return own.every(isIn(voided, records)) ? 'flag' : null;
  const rest = own.filter((word) => !about().has(word));
  return rest.some(isIn(outcome)) && rest.every(isIn(outcome, state)) ? 'outcome' : null;
}

/** True for words that name a progress, or the share of what is done. */
function isShare(words: readonly string[]): boolean {
  return words.some(isIn(progress)) || (words.some(isIn(share)) && words.some(isIn(done)));
}

function isIn(...sets: readonly (() => ReadonlySet<string>)[]): (word: string) => boolean {
  return (word) => sets.some((set) => set().has(word));
}

/** The words of a header in lower case: "IsTest", "is_test" and "Is test?" are the same two. */
function wordsOf(header: string): readonly string[] {
  const parted = header.slice(0, LONGEST_HEADER).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const words =
    normaliseHeader(parted)
      .text.replaceAll('%', ' % ')
      .match(/[\p{L}\p{M}\p{N}%]+/gu) ?? [];
  return words.flatMap((word) => {
    const [, is = '', rest = ''] = /^(is)(.+)$/.exec(word) ?? [];
    return voided().has(rest) || rest === 'test' ? [is, rest] : [word];
  });
}

/** A longer text is a title or a note. */
const LONGEST_HEADER = 80;

const wordsFor = (list: string) => wordSet(`deciding-headers.${list}`);

/** Words that change nothing: "Is revoked? (Y/N)". */
const fillers = wordsFor('filler');
/** A flag is about the row: a user or a course that was deleted says nothing about a completion. */
const records = wordsFor('record');
/** A progress or an outcome is the learner's in the course. */
const about = wordSet('deciding-headers.record', 'deciding-headers.about');
const progress = wordsFor('progress');
const share = wordsFor('share');
const done = wordsFor('done');
const certificate = wordsFor('certificate');
const state = wordsFor('state');
const voided = wordsFor('void');
const outcome = wordsFor('outcome');
/** "Is test", "Test record", "Test data": "Test" alone may be an exam. */
const TEST_MARKS = new Set(['is', 'record', 'row', 'entry', 'data', 'flag']);
