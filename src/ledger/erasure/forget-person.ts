import { sql } from 'kysely';
import { summed } from '../../domain/grouped.js';
import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { filterSeries, mapSeries } from '../../domain/process/series.js';
import { type Cell, isBlankRow } from '../../domain/row.js';
import { nearMatches } from '../../domain/text/near-matches.js';
import type { RecordedDecision } from '../decisions/decision-log.js';
import { suppressedLearners } from '../decisions/known-learners.js';
import { endHolds } from '../decisions/mapping.js';
import { allKeptRows, cellsBy, type PlacedRow } from '../drops/rows/kept-rows.js';
import { paged } from '../leases/leases.js';
import { pagesOf, yieldToEventLoop } from '../store/pages.js';
import { erased } from '../store/personal.js';
import { change, type Ledger, query } from '../store/query.js';
import { readFilesOf, removeReadFiles } from '../submissions/staging/read-rows.js';
import { knownLearners } from '../submissions/subjects.js';
import {
  forgetLearners,
  forgetRow,
  forgetSubmissions,
  forgetTexts,
  isRecord,
  learnerColumns,
} from './forgetting.js';
import {
  clearIdentifiers,
  identifiersOfForget,
  namedThrough,
  type Person,
  personOf,
  requireQuiet,
  statesOf,
} from './person.js';
import { type Proof, proveForgotten, textsWith } from './prove-forgotten.js';
import { compactLedger, erasing } from './purge-content.js';

/**
 * Finds the data of the person behind these learners, by present and former identifiers; reads all kept rows.
 * `isKnown` is false where the ledger has no data about the person, and no earlier decision about them.
 */
export async function findPerson(ledger: Ledger, learners: readonly IdentifiedLearner[]) {
  const named = await namedThrough(ledger, learners);
  const person = await personOf(ledger, named);
  let counts = { rows: 0, mentions: 0 };
  for await (const step of namingCells(ledger, person, null)) {
    counts = summed(counts, step);
    await yieldToEventLoop();
  }
  const isFound = person.submissions.length + counts.rows + counts.mentions > 0;
  const suppressed = await suppressedLearners(ledger);
  const isSuppressed = person.hashes.some((hash) => suppressed.has(hash));
  const isKnown = isFound || isSuppressed || (await isInTexts(ledger, person));
  return { identifiers: named.identifiers, states: statesOf(person), ...counts, isKnown };
}

/** True where a reason, an answer or another text of the ledger contains an identifier of the person. */
async function isInTexts(ledger: Ledger, { mentions }: Person): Promise<boolean> {
  for (const needle of mentions.distinctive) {
    for await (const { text } of textsWith(ledger, needle)) if (mentions.inText(text)) return true;
  }
  return false;
}

/** Finds the learners of the ledger that are most similar to an unknown one, nearest first; reads every learner. Personal. */
export async function nearPeople(ledger: Ledger, learners: readonly IdentifiedLearner[]): Promise<string[]> {
  const near = await nearMatches(learners, knownLearners(ledger));
  return [...new Set(near.flat().map(({ id }) => id))];
}

/** The numbers of rows that were erased or closed. */
export type ErasedCounts = Readonly<typeof NOTHING_ERASED>;

export const NOTHING_ERASED = {
  rows: 0,
  mentions: 0,
  dismissed: 0,
  records: 0,
  answers: 0,
  issues: 0,
  refusals: 0,
  corrections: 0,
};

/**
 * Erases the person of an open forget from rows, records, answers and all other texts, one transaction for each step.
 * Dismisses the submissions that would still be sent, rewrites the ledger's file, searches all of it for the person,
 * and clears the identifiers last. Throws OperatorError while a file is half staged or a row about the person is
 * being sent: either would add data about the person again.
 * @param begin gets, before anything is erased, the person's identifiers in texts, cells and files; []: unknown, because
 * every text with them was erased. Personal.
 * @returns the person's submissions by state, as they were, and the proof.
 */
export async function* forgetPerson(
  ledger: Ledger,
  { decisionId, selection }: Pick<RecordedDecision, 'decisionId' | 'selection'>,
  begin: (identifiers: readonly string[]) => Promise<void> = async () => {},
): AsyncGenerator<Partial<ErasedCounts>, { states: ReturnType<typeof statesOf>; proof: Proof }, undefined> {
  const hashes = selection.learners as readonly string[];
  const identifiers = await identifiersOfForget(ledger, decisionId);
  const person = await personOf(ledger, { hashes, identifiers });
  await requireQuiet(ledger, person);
  // No drop is half staged, so files of read rows are left over from a crash.
  removeReadFiles(readFilesOf(ledger.beside));
  await begin(identifiers);
  yield* paged(ledger, forgetPages(ledger, decisionId, person));
  await compactLedger(ledger);
  return { states: statesOf(person), proof: await proveForgotten(ledger, identifiers, hashes) };
}

async function* forgetPages(
  ledger: Ledger,
  decisionId: number,
  person: Person,
): AsyncGenerator<Partial<ErasedCounts>> {
  yield* namingCells(ledger, person, decisionId);
  for (const page of pagesOf(person.submissions.map(({ submissionId }) => submissionId))) {
    yield await erasing(ledger, (ledger) => forgetSubmissions(ledger, decisionId, page));
  }
  const lines = [...person.lines].flatMap(([dropId, own]) => [...own].map((line) => ({ dropId, line })));
  for (const page of pagesOf(lines)) {
    const cleared = await erasing(ledger, (ledger) =>
      mapSeries(page, (row) => forgetRow(ledger, decisionId, row)),
    );
    yield { issues: cleared.reduce((sum, one) => sum + one, 0) };
  }
  const { mentions, hashes } = person;
  for (const needle of mentions.distinctive) {
    yield await erasing(ledger, (ledger) => forgetTexts(ledger, needle, mentions.inText));
  }
  const corrections = await erasing(ledger, async (ledger) => {
    for (const hash of hashes) await endHolds(ledger, hash);
    return forgetLearners(ledger, hashes);
  });
  yield { corrections };
  // Last, because until then another process may have to resume the search.
  await erasing(ledger, (ledger) => clearIdentifiers(ledger, decisionId));
  yield {};
}

/**
 * Counts of rows whose cells contain a person's identifier: `rows` about the person, whose cells are all erased, and
 * `mentions` in another column of other rows, of which only that cell is erased.
 */
export type NamingRows = Readonly<Record<'rows' | 'mentions', number>>;

/** Rows to read between two transactions. */
const ROWS_AT_ONCE = 5_000;

/**
 * Reads all kept rows, a few thousand for each step, and counts those with the person.
 * @param decisionId the forget that erases the cells with the person, one transaction for each step; null: nothing is written.
 */
async function* namingCells(
  ledger: Ledger,
  person: Person,
  decisionId: number | null,
): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  const restOf = (ledger: Ledger, row: PlacedRow) => withoutPerson(ledger, person, row, columns);
  for await (const page of allKeptRows(ledger, ROWS_AT_ONCE)) {
    const naming = await filterSeries(page, async (row) => (await restOf(ledger, row)) !== 'unnamed');
    const erase = async (ledger: Ledger, forget: number, row: PlacedRow) => {
      // Read again within the transaction: another process may have erased the row, or cells of it, meanwhile.
      const cells = await cellsBy(ledger, row);
      const rest = cells === null ? 'unnamed' : await restOf(ledger, { ...row, cells });
      if (rest !== 'unnamed') await storeCells(ledger, row, rest);
      if (rest === null) await forgetRow(ledger, forget, row);
      return rest;
    };
    const rests =
      decisionId === null || naming.length === 0
        ? await mapSeries(naming, (row) => restOf(ledger, row))
        : await erasing(ledger, (ledger) => mapSeries(naming, (row) => erase(ledger, decisionId, row)));
    const rows = rests.filter((rest) => rest === null).length;
    yield { rows, mentions: rests.filter((rest) => rest !== 'unnamed').length - rows };
  }
}

/** Writes the remaining cells of a row. @param rest null: none remain. */
async function storeCells(
  ledger: Ledger,
  { dropId, line, decisionId }: PlacedRow,
  rest: readonly Cell[] | null,
): Promise<void> {
  const table = decisionId === 0 ? 'row' : 'corrected_row';
  const update = rest === null || isBlankRow(rest) ? erased(table) : { cells: JSON.stringify(rest) };
  const row = query.updateTable(table).where('drop_id', '=', dropId).where('line', '=', line);
  const isOf = decisionId === 0 ? sql<boolean>`true` : sql<boolean>`decision_id = ${decisionId}`;
  await change(ledger, row.set(update).where(isOf));
}

/** A row's remaining cells; null: the row is about the person; `unnamed`: the person isn't in it. */
type RestCells = readonly Cell[] | null | 'unnamed';

/** Empties the cells with the person; a row without a record is theirs if its learner column names them or is unknown. */
async function withoutPerson(
  ledger: Ledger,
  { mentions, lines }: Person,
  { dropId, line, cells }: PlacedRow,
  columns: ReadonlyMap<number, number>,
): Promise<RestCells> {
  if (lines.get(dropId)?.has(line)) return null;
  const column = columns.get(dropId);
  const isNaming = cells.map((cell, index) => mentions.inCell(cell, index === column));
  if (!isNaming.includes(true)) return 'unnamed';
  const isTheirs = column === undefined || isNaming[column] === true;
  if (isTheirs && !(await isRecord(ledger, { dropId, line }))) return null;
  return cells.map((cell, index) => (isNaming[index] ? null : cell));
}
