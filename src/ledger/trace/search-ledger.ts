import { type RawBuilder, sql } from 'kysely';
import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { cellText, type Row } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import { ATTENTION_STATES, type State } from '../../domain/submission.js';
import { rowsAt } from '../books/rows/browsed-rows.js';
import { searchRows } from '../drops/rows/rows-naming.js';
import { areAmong, contains, isAmong } from '../store/dialect.js';
import { all, boundLimit, type Ledger, query, reading } from '../store/query.js';
import { every, type ListedPlace } from '../submissions/select/selection.js';
import { isOneOf } from '../submissions/subjects.js';
import { findLearner } from './read-trace.js';

/** What a text may mean in a search of the ledger. Personal. */
export interface SearchQuery {
  /** The words of the text in lower case; what is found has all of them. */
  readonly words: readonly string[];
  /** The text as typed, for what has to be equal to it. */
  readonly text: string;
  /** The learners whose identifier the text may be, one for each type of identifier. */
  readonly learners: readonly IdentifiedLearner[];
  /** The maximum number of matches of each kind. */
  readonly limit: number;
}

/**
 * Finds what a text names or is part of: learners and contents by their identifiers, files by their names, rows without
 * a record by their cells, and rows by the id of the platform's error. The time doesn't depend on the number of rows.
 * `unsearched`: how many rows without a record were not compared with the text.
 */
export async function searchLedger(ledger: Ledger, { words, text, learners, limit }: SearchQuery) {
  return reading(ledger, async (ledger) => {
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
    const hasAll = (texts: readonly string[]) =>
      words.every((word) => texts.some((one) => one.includes(word)));
    const isMatch = ({ cells }: Row) => hasAll(cells.map((cell) => cellText(cell).toLowerCase()));
    const rows = await searchRows(ledger, [longest], isMatch, MAX_SEARCHED);
    const files = query
      .selectFrom('drop_file as d')
      .select(['d.drop_id as drop', 'd.file_name as file', 'd.source', 'd.taken_at as importedAt'])
      .where(hasWords(sql.ref('d.file_name'), words))
      .orderBy('d.drop_id', 'desc');
    return {
      learners: await learnersWith(ledger, words, learners, limit),
      contents: await contentsWith(ledger, words, limit),
      files: await all(ledger, files.limit(boundLimit(limit))),
      rows: {
        count: rows.rowRefs.length,
        first: await rowsWithStanding(
          ledger,
          await withoutRecord(ledger, rows.rowRefs.slice(-limit).reverse()),
        ),
      },
      refused: await refusedWith(ledger, text, limit),
      unsearched: rows.unsearched,
    };
  });
}

function hasWords(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  return every(words.map((word) => contains(sql`lower(${text})`, word)));
}

/**
 * Exact matches first, then the latest with these words; each with its submissions by state. An e-mail address that is
 * typed whole is found by the index of hashes alone; only if there is no such learner, all are read.
 */
async function learnersWith(
  ledger: Ledger,
  words: readonly string[],
  exact: readonly IdentifiedLearner[],
  limit: number,
) {
  const hashes = exact.map(({ hash }) => hash);
  const isExact = isOneOf('l.learner_id', hashes);
  const learners = query
    .selectFrom('learner as l')
    .select(['l.learner_id as number', 'l.type', sql<string>`l.identifier`.as('id')])
    .select(sql<number>`case when ${isExact} then 1 else 0 end`.as('isExact'))
    .where('l.identifier', 'is not', null)
    .where(sql<boolean>`exists (select 1 from submission s join drop_file d using (drop_id)
      where s.learner_id = l.learner_id and d.state = 'published')`)
    .orderBy('isExact', 'desc')
    .orderBy('l.learner_id', 'desc')
    .limit(boundLimit(limit));
  const isAddress = words.some((word) => word.includes('@'));
  const whole = isAddress ? await all(ledger, learners.where(isExact)) : [];
  const isNamed = sql<boolean>`(${isExact} or ${hasWords(sql.ref('l.identifier'), words)})`;
  const matches = whole.length > 0 ? whole : await all(ledger, learners.where(isNamed));
  const numbers = matches.map(({ number }) => number);
  const counted = await ledger.db
    .selectFrom('submission as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.learner_id as number', 's.state', sql<number>`count(*)`.as('count')])
    .where(isAmong('s.learner_id', numbers))
    .where('d.state', '=', sql.lit('published'))
    .groupBy(['s.learner_id', 's.state'])
    .execute();
  return matches.map(({ number, isExact, ...learner }) => {
    const states = counted.filter((one) => one.number === number).map(({ state, count }) => [state, count]);
    const byState: Partial<Record<State, number>> = Object.fromEntries(states);
    return { ...learner, isExact: isExact === 1, states: byState };
  });
}

function contentsWith(ledger: Ledger, words: readonly string[], limit: number) {
  const contents = query
    .selectFrom('content as c')
    .select(['c.identifier as id', sql<string | null>`max(c.title)`.as('title')])
    .where(hasWords(sql`c.identifier || ' ' || coalesce(c.title, '')`, words))
    .groupBy('c.identifier')
    .orderBy('c.identifier');
  return all(ledger, contents.limit(boundLimit(limit)));
}

/** The rows whose requests the platform answered with this error id, the latest first. */
async function refusedWith(ledger: Ledger, errorId: string, limit: number) {
  const rows = query
    .selectFrom('response as p')
    .innerJoin('attempt_submission as x', 'x.attempt_id', 'p.attempt_id')
    .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
    .select(['s.drop_id as dropId', 's.line', 's.submission_id as submissionId'])
    .select(['s.state', 's.state as standing'])
    .where('p.error_id', '=', errorId)
    .orderBy('p.response_id', 'desc');
  return rowsWithStanding(ledger, await all(ledger, rows.limit(boundLimit(limit))));
}

/** Where a person's row is: its submission's state, or why it has none. `closed`: by a decision. */
export type RowStanding = State | 'invalid' | 'skipped' | 'closed';

/** The maximum number of rows without a record that are searched for a person: they take tens of milliseconds. */
const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a person's rows, under all identifiers: rows that need attention first, then the latest. `counts`
 * counts all of them by standing; `unsearched`: rows without a record that were not searched. Personal.
 */
export async function personRows(
  ledger: Ledger,
  learners: readonly IdentifiedLearner[],
  { from, count }: { readonly from: number; readonly count: number },
) {
  return reading(ledger, async (ledger) => {
    const traces = await findLearner(ledger, learners, MAX_SEARCHED);
    const { submissionIds, rowRefs, corrections, unsearched } = traces;
    const submissions = await ledger.db
      .selectFrom('submission as s')
      .select(['s.drop_id as dropId', 's.line', 's.submission_id as submissionId'])
      .select(['s.state', 's.state as standing'])
      .where(isAmong('s.submission_id', submissionIds))
      .execute();
    const places = [...submissions, ...(await withoutRecord(ledger, rowRefs))].sort(
      (a, b) =>
        rank(a) - rank(b) || b.dropId - a.dropId || b.line - a.line || b.submissionId - a.submissionId,
    );
    const counts: Partial<Record<RowStanding, number>> = {};
    for (const { standing } of places) counts[standing] = (counts[standing] ?? 0) + 1;
    const rows = await rowsWithStanding(ledger, places.slice(from, from + count));
    return { counts, rows, corrections, unsearched };
  });
}

/** A row with where it is. Personal. */
export type RowWithStanding = Awaited<ReturnType<typeof rowsWithStanding>>[number];

interface PlaceWithStanding extends ListedPlace {
  readonly standing: RowStanding;
}

/** The rows at these places, with all that explains where they are. */
export async function rowsWithStanding(ledger: Ledger, places: readonly PlaceWithStanding[]) {
  const rows = await rowsAt(ledger, places);
  return rows.map((row, index) => ({ row, standing: places[index]?.standing ?? row.state }));
}

/** The standings of rows that became no record; rows that a decision made a submission of are left out. */
async function withoutRecord(ledger: Ledger, rowRefs: readonly RowRef[]): Promise<PlaceWithStanding[]> {
  const pairs = rowRefs.map(({ dropId, line }) => [dropId, line] as const);
  const rows = await ledger.db
    .selectFrom('row as r')
    .leftJoin('resolution as z', (join) =>
      join.onRef('z.drop_id', '=', 'r.drop_id').onRef('z.line', '=', 'r.line'),
    )
    .select(['r.drop_id as dropId', 'r.line', 'r.disposition', 'z.decision_id as decisionId'])
    .where(areAmong(['r.drop_id', 'r.line'], pairs))
    .where('z.submission_id', 'is', null)
    .execute();
  return rows.map(({ dropId, line, disposition, decisionId }) => {
    const standing: RowStanding =
      decisionId !== null ? 'closed' : disposition === 'skipped' ? 'skipped' : 'invalid';
    return { dropId, line, submissionId: 0, state: 'invalid', standing };
  });
}

function rank({ standing }: { readonly standing: RowStanding }): number {
  return standing === 'invalid' || ATTENTION_STATES.some((state) => state === standing) ? 0 : 1;
}
