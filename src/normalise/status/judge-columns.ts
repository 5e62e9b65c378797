import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import { headerKey, normaliseHeader } from '../header/header-text.js';
import type { TableRules } from '../mapping/find-header.js';
import { aliasMatches } from '../mapping/header-aliases.js';
import { isAdded } from '../mapping/header-column.js';
import { type CellFault, quotedYaml, type Reading, refuseFor, remembering } from '../values/reading.js';
import { plainScore, shareIn } from '../values/score.js';
import { statusKey } from '../values/status.js';
import { isEmptyValue, trimText } from '../values/trim-text.js';
import { wordSet } from '../values/word-pattern.js';
import { statusHeader, type WordKind, wordReader } from './status-evidence.js';

/** What speaks against a row: it is skipped, or invalid because a word is not understood. */
export interface StatusJudgement {
  /** At least one; exactly one where the row is skipped. */
  readonly issues: readonly Issue[];
  readonly isSkipped: boolean;
}

/** The judges of a row by each column beside the status; null: it says nothing against the row. */
export function columnJudges(
  columns: readonly DecidingColumn[],
  own: SourceConfig['status'],
): readonly ((row: Row) => StatusJudgement | null)[] {
  return columns.map((column) => {
    const read = remembering(columnReader(column, own));
    return ({ cells }) => {
      const cell = cells[column.index];
      const reading = read(cell);
      if ('issue' in reading) return { issues: [reading.issue], isSkipped: false };
      if (reading.value !== 'against') return null;
      const isContested = column.kind === 'progress' && !isBlankCell(cells[column.status]);
      if (isContested && readProgress(cell) === 'part')
        return { issues: [refused(column, 'share-part', cell).issue], isSkipped: false };
      return { issues: [refused(column, 'column-against', cell).issue], isSkipped: true };
    };
  });
}

function columnReader(
  column: DecidingColumn,
  own: SourceConfig['status'],
): (cell: Cell | undefined) => Reading<Verdict> {
  const verdictOf = wordVerdicts(column, own);
  return (cell) => {
    if (isEmptyValue(cell)) return COUNTS;
    const progress = column.kind === 'progress' ? readProgress(cell) : null;
    if (progress === 'all') return COUNTS;
    if (progress === 'part') return AGAINST;
    if (progress === 'unclear') return refused(column, 'share-unclear', cell);
    // A date or a percentage beside an outcome is the day or the score; an error of a formula may hide anything.
    const ofObject = column.kind === 'outcome' || column.kind === 'state' ? 'counts' : 'unclear';
    const verdict = typeof cell === 'object' ? ofObject : verdictOf(String(cell));
    return verdict === 'unclear' ? refused(column, 'word-unclear', cell) : { value: verdict };
  };
}

const COUNTS: Reading<Verdict> = { value: 'counts' };
const AGAINST: Reading<Verdict> = { value: 'against' };

/** Learners may complete before they have seen everything: a part of the course doesn't skip a row whose status says completed. */
function refused({ header }: DecidingColumn, fault: CellFault, cell: Cell | undefined) {
  const parts = { word: JSON.stringify(cellText(cell)), header: quotedYaml(header) };
  return refuseFor(fault, header, cell, parts);
}

/** What a cell says about its row: that it counts, or nothing; that it doesn't; or what only a person knows. */
type Verdict = 'counts' | 'against' | 'unclear';

/** The verdict of a word in a column: the source's own words, and those of the correction workbook, go before all others. */
function wordVerdicts(
  { kind, header }: DecidingColumn,
  own: SourceConfig['status'],
): (text: string) => Verdict {
  const counting = new Set(own.completed.map(statusKey));
  const against = new Set(own.notCompleted.map(statusKey));
  const kindOf = wordReader(own);
  const says = statusHeader(header);
  return (text) => {
    const key = statusKey(text);
    if (counting.has(key) || key === 'completed') return 'counts';
    if (against.has(key) || key === 'not completed') return 'against';
    return verdictIn(kind, says, CROSSES.has(key) ? 'unknown' : kindOf(text), key);
  };
}

function verdictIn(
  kind: DecidingColumn['kind'],
  says: ReturnType<typeof statusHeader>,
  word: WordKind,
  key: string,
): Verdict {
  switch (kind) {
    case 'progress':
      return OF_COMPLETION[word] ?? 'unclear';
    case 'flag':
      if (word === 'no' || untouched().has(key)) return 'counts';
      return ['yes', 'mark', 'against'].includes(word) || voided().has(key) ? 'against' : 'unclear';
    case 'certificate':
      if (voided().has(key)) return 'against';
      return word === 'completed' || word === 'loosely completed' || valid().has(key) ? 'counts' : 'unclear';
    case 'outcome':
      // A score, or the number of days attended.
      if (/^\d/.test(key) && (says === 'status' || word === 'unknown')) return 'counts';
      if (says === 'failing' && (word === 'yes' || word === 'mark')) return 'against';
      if (says === 'failing' && word === 'no') return 'counts';
      return grades().has(key) ? 'counts' : (OF_COMPLETION[word] ?? 'unclear');
    case 'state':
      return word === 'against' ? 'against' : 'counts';
  }
}

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
/** Grades of learners who have passed. */
const grades = wordSet('status.grade');

/** How much of a course is done. `unclear`: a 1, which is all of it or one percent, or no share. null: the cell is no number. */
type Progress = 'all' | 'part' | 'unclear' | null;

/** Reads 100, 100 %, 12/12. The scale of a plain number decides only about a 1: less than that is a part on either scale. */
function readProgress(cell: Cell | undefined): Progress {
  if (typeof cell === 'object' && cell !== null) return 'percent' in cell ? ofHundred(cell.percent) : null;
  const number = plainScore(cell, null);
  if (number !== null) return number === 1 ? 'unclear' : ofHundred(number);
  return typeof cell === 'string' ? ofHundred(shareIn(trimText(cell.normalize('NFKC')), null)) : null;
}

function ofHundred(share: number | null): Progress {
  if (share === null) return null;
  // A sum of thirds is 99.99999999999999 for a computer.
  const percent = Math.round(share * 1e6) / 1e6;
  // Of none at all, it is no number.
  if (!(percent >= 0 && percent <= 100)) return 'unclear';
  return percent === 100 ? 'all' : 'part';
}

/** A column beside the status that says whether a row counts. */
export interface DecidingColumn {
  readonly index: number;
  readonly header: string;
  /** `state`: another name of the status, of which only clear words against the row count. */
  readonly kind: DecidingKind | 'state';
  /** The column of the status; -1: there is none. */
  readonly status: number;
}

/** The columns that neither a field takes nor Registrar has added nor the source ignores, in file order. */
export function freeColumns({ header: { columns, match }, source }: TableRules) {
  const mapped = new Set(Object.values(match.mapped).map(({ index }) => index));
  const ignored = new Set(source.status.ignore.map(headerKey));
  return columns.flatMap((header, index) =>
    mapped.has(index) || isAdded(header) || ignored.has(headerKey(header)) ? [] : [{ index, header }],
  );
}

/**
 * The free columns that say whether a row counts; none where the operation has no status. Words of an outcome count beside a status:
 * without one `watchStatus` questions whether they are the status.
 */
export function decidingColumns(rules: TableRules): readonly DecidingColumn[] {
  const { operation, source, header: headerRow } = rules;
  const status = operation.fields.find(({ kind }) => kind === 'status');
  if (!status) return [];
  const statusIndex = headerRow.match.mapped[status.name]?.index ?? -1;
  const hasStatus = statusIndex !== -1 || source.defaults[status.name] !== undefined;
  return freeColumns(rules).flatMap(({ index, header }) => {
    const isName = () =>
      aliasMatches(normaliseHeader(header).text, operation).some(({ field }) => field === status.name);
    const kind = decidingKind(header) ?? (isName() ? 'state' : null);
    if (kind === null || ((kind === 'outcome' || kind === 'state') && !hasStatus)) return [];
    return [{ index, header, kind, status: statusIndex }];
  });
}

/** `flag`: yes where the row doesn't count (withdrawn, deleted, a test). `outcome`: a word or a yes for learners who have passed. */
type DecidingKind = 'progress' | 'flag' | 'certificate' | 'outcome';

/**
 * The kind of column that a header names, word by word; null: none. A word that no list has makes it another column ("Progress notes",
 * "User deleted"), as "% Marked Completed": learners unmark lessons, and it falls when a course grows.
 */
export function decidingKind(header: string): DecidingKind | null {
  const words = wordsOf(header);
  const own = words.filter((word) => !fillers().has(word));
  if (own.length === 0) return null;
  if (own.every(isIn(progress, share, done, about)) && isShare(own)) return 'progress';
  if (own.some(isIn(certificate))) {
    if (own.every(isIn(certificate, state))) return own.some(isIn(state)) ? 'certificate' : null;
    return own.every(isIn(certificate, voidWords)) ? 'flag' : null;
  }
  if (own.includes('test') && words.some((word) => TEST_MARKS.has(word))) {
    return own.every((word) => word === 'test' || TEST_MARKS.has(word)) ? 'flag' : null;
  }
  if (own.some(isIn(voidWords))) return own.every(isIn(voidWords, records)) ? 'flag' : null;
  const rest = own.filter((word) => !about().has(word));
  return rest.some(isIn(outcome)) && rest.every(isIn(outcome, state)) ? 'outcome' : null;
}

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
    return voidWords().has(rest) || rest === 'test' ? [is, rest] : [word];
  });
}

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
const voidWords = wordsFor('void');
const outcome = wordsFor('outcome');
/** "Is test", "Test record", "Test data": "Test" alone may be an exam. */
const TEST_MARKS = new Set(['is', 'record', 'row', 'entry', 'data', 'flag']);
