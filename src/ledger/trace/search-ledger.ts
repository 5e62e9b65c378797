import { type RawBuilder, sql } from 'kysely';
import type { Identified } from '../../domain/learners/corrected-learners.js';
import { cellText } from '../../domain/row.js';
import type { State } from '../../domain/submission.js';
import { searchRows } from '../drops/rows/rows-naming.js';
import { contains, isAmong } from '../store/dialect.js';
import { all, boundLimit, bytes, type Ledger, query, reading } from '../store/query.js';
import { every } from '../submissions/select/conditions.js';
import { standingRows, withoutRecord } from './person-rows.js';

/** What a text may mean in a search of the ledger. Personal. */
export interface SearchQuery {
  /** The words of the text in lower case; what is found has all of them. */
  readonly words: readonly string[];
  /** The text as typed, for what has to be equal to it. */
  readonly text: string;
  /** The learners whose identifier the text may be, one for each type of identifier. */
  readonly learners: readonly Identified[];
  /** The maximum number of matches of each kind. */
  readonly most: number;
}

/** The maximum number of rows without a record whose cells are searched: they take tens of milliseconds. */
const MAX_ROWS = 15_000;

/**
 * Finds what a text names or is part of: learners and contents by their identifiers, files by their names, rows without
 * a record by their cells, and rows by the id of the platform's error. The time doesn't depend on the number of rows.
 * `unsearched`: how many rows without a record were not compared with the text.
 */
export async function searchLedger(ledger: Ledger, { words, text, learners, most }: SearchQuery) {
  return reading(ledger, async (ledger) => {
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
    const hasAll = (texts: readonly string[]) =>
      words.every((word) => texts.some((one) => one.includes(word)));
    const rows = await searchRows(
      ledger,
      [longest],
      ({ cells }) => hasAll(cells.map((cell) => cellText(cell).toLowerCase())),
      MAX_ROWS,
    );
    const files = await all(
      ledger,
      query
        .selectFrom('drop_file as d')
        .select(['d.drop_id as drop', 'd.file_name as file', 'd.source', 'd.taken_at as importedAt'])
        .where(hasWords('d.file_name', words))
        .orderBy('d.drop_id', 'desc')
        .limit(boundLimit(most)),
    );
    return {
      learners: await learnersWith(ledger, words, learners, most),
      contents: await contentsWith(ledger, words, most),
      files,
      rows: {
        count: rows.rowRefs.length,
        first: await standingRows(ledger, await withoutRecord(ledger, rows.rowRefs.slice(-most).reverse())),
      },
      refused: await refusedWith(ledger, text, most),
      unsearched: rows.unsearched,
    };
  });
}

function hasWords(column: string, words: readonly string[]): RawBuilder<boolean> {
  return every(words.map((word) => contains(sql`lower(${sql.ref(column)})`, word)));
}

/** Exact matches first, then the latest with these words; each with its submissions by state. */
async function learnersWith(
  ledger: Ledger,
  words: readonly string[],
  exact: readonly Identified[],
  most: number,
) {
  const hashes = exact.map(({ hash }) => bytes(hash));
  const isExact = hashes.length === 0 ? sql<boolean>`false` : sql<boolean>`l.hash in (${sql.join(hashes)})`;
  const learners = query
    .selectFrom('learner as l')
    .select(['l.learner_id as number', 'l.type', sql<string>`l.identifier`.as('id')])
    .select(sql<number>`case when ${isExact} then 1 else 0 end`.as('isExact'))
    .where('l.identifier', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('submission as s')
          .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
          .select('s.submission_id')
          .whereRef('s.learner_id', '=', 'l.learner_id')
          .where('d.state', '=', sql.lit('published')),
      ),
    )
    .where(sql<boolean>`(${isExact} or ${hasWords('l.identifier', words)})`)
    .orderBy('isExact', 'desc')
    .orderBy('l.learner_id', 'desc')
    .limit(boundLimit(most));
  const matches = await all(ledger, learners);
  const counted = await ledger.db
    .selectFrom('submission as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.learner_id as number', 's.state', sql<number>`count(*)`.as('count')])
    .where(
      isAmong(
        's.learner_id',
        matches.map(({ number }) => number),
      ),
    )
    .where('d.state', '=', sql.lit('published'))
    .groupBy(['s.learner_id', 's.state'])
    .execute();
  return matches.map(({ number, type, id, isExact }) => ({
    type,
    id,
    isExact: isExact === 1,
    states: Object.fromEntries(
      counted.filter((one) => one.number === number).map(({ state, count }) => [state, count]),
    ) as Partial<Record<State, number>>,
  }));
}

function contentsWith(ledger: Ledger, words: readonly string[], most: number) {
  return all(
    ledger,
    query
      .selectFrom('content as c')
      .select(['c.identifier as id', sql<string | null>`max(c.title)`.as('title')])
      .where(
        every(words.map((word) => contains(sql`lower(c.identifier || ' ' || coalesce(c.title, ''))`, word))),
      )
      .groupBy('c.identifier')
      .orderBy('c.identifier')
      .limit(boundLimit(most)),
  );
}

/** The rows whose requests the platform answered with this error id, the latest first. */
async function refusedWith(ledger: Ledger, errorId: string, most: number) {
  const rows = await all(
    ledger,
    query
      .selectFrom('response as p')
      .innerJoin('attempt_submission as x', 'x.attempt_id', 'p.attempt_id')
      .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
      .select(['s.drop_id as dropId', 's.line', 's.submission_id as submissionId', 's.state as standing'])
      .where('p.error_id', '=', errorId)
      .orderBy('p.response_id', 'desc')
      .limit(boundLimit(most)),
  );
  return standingRows(ledger, rows);
}
