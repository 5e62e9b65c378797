import { sql } from 'kysely';
import { OMITTED_VALUE_CODES } from '../../../domain/issue.js';
import { extraCells } from '../../../domain/row.js';
import { dropsWhere, tracedDrop } from '../../drops/published-drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsIn, presentCells } from '../../drops/rows/kept-rows.js';
import { listOfTexts } from '../../store/dialect.js';
import { PAGE_ROWS, pagesAfter } from '../../store/pages.js';
import { all, each, type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/kept-record.js';
import type { ListedPlace } from '../../submissions/select/selection.js';
import { openItemsIn, requestCount, responseOf } from './attention.js';
import { type BrowsedRow, rowsAt } from './browsed-rows.js';

/** A row that needs attention, for the attention file. Personal. */
export type AttentionRow = ReturnType<typeof attentionRow>;

/** A drop's rows that need attention, in line order, and the maximum number of cells beyond the header over all its rows. */
export type AttentionRows = Awaited<ReturnType<typeof attentionRows>>;

/**
 * Streams a drop's rows that need attention, and returns in advance the width of their table; for a selection, only its
 * submissions and published rows.
 */
export async function attentionRows(ledger: Ledger, dropId: number, selection: ReportSelection = {}) {
  const extraCells = await maxExtraCells(ledger, dropId);
  return { extraCells, [Symbol.asyncIterator]: () => openRows(ledger, dropId, selection) };
}

async function* openRows(ledger: Ledger, dropId: number, selection: ReportSelection) {
  const items = openItemsIn(selection)
    .select(['o.drop_id as dropId', 'o.line', 'o.submission_id as submissionId', 'o.state'])
    .where('o.drop_id', '=', dropId)
    .orderBy('o.line')
    .orderBy('o.submission_id')
    .limit(sql.lit(PAGE_ROWS));
  const pageAfter = (last: ListedPlace | null) => {
    const { line, submissionId } = last ?? { line: 0, submissionId: 0 };
    return all(ledger, items.where(sql<boolean>`(o.line, o.submission_id) > (${line}, ${submissionId})`));
  };
  for await (const page of pagesAfter(pageAfter)) {
    for (const row of await rowsAt(ledger, page)) yield attentionRow(row);
  }
}

function attentionRow({ answer, requests, ...row }: BrowsedRow) {
  const { submissionId, issues } = row;
  const joined = (texts: readonly (string | null)[]) => texts.filter(Boolean).join('; ') || null;
  return {
    ...row,
    code: submissionId === null ? issues.map(({ code }) => code).join('; ') : row.code,
    /** The platform's text, or the messages of the issues. */
    detail: submissionId === null ? joined(issues.map(({ message }) => message)) : (answer?.detail ?? null),
    remedy: joined(issues.map(({ remedy }) => remedy)),
    status: answer?.status ?? null,
    attempts: requests,
    errorId: answer?.errorId ?? null,
  };
}

async function maxExtraCells(ledger: Ledger, dropId: number): Promise<number> {
  const { header } = (await tracedDrop(ledger, dropId)) ?? { header: [] };
  const ragged = await all(
    ledger,
    sql<{
      cells: string | null;
    }>`select ${presentCells} as cells from issue i join row r using (drop_id, line)
      where i.drop_id = ${dropId} and i.code = 'row-ragged'`,
  );
  return ragged.reduce((most, { cells }) => Math.max(most, extraCells(cellsIn(cells), header)), 0);
}

/** A published drop with rows of a selection. */
export type ListedDrop = Awaited<ReturnType<typeof listedDrops>>[number];

/** The drops of the selection in the order of their import; for a run, also those with a submission that it moved. */
export async function listedDrops(ledger: Ledger, selection: ReportSelection) {
  const drops = await dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${touchedIn(selection)}`);
  return drops.map((drop) => ({ ...drop, drop: drop.dropId }));
}

/**
 * Streams a drop's rows that the platform accepted, in line order. `record` and `cells` are null once erased; `omitted`: the
 * columns whose cells couldn't be read; null: none. Personal.
 */
export async function* acceptedRows(ledger: Ledger, dropId: number) {
  const rows = query
    .selectFrom('submission_record as s')
    .select(['s.line', 's.encoded_record as record', cellsOfRow.as('cells')])
    .select([acceptedAt.as('acceptedAt'), platformId.as('platformId')])
    .select([omittedColumns.as('omitted'), requestCount.as('attempts')])
    .where('s.drop_id', '=', dropId)
    .where('s.state', '=', sql.lit('accepted'))
    .orderBy('s.line');
  for await (const { record, cells, omitted, ...row } of each(ledger, rows)) {
    const columns = JSON.parse(omitted) as string[];
    yield { ...row, record: fieldsIn(record), cells: cellsIn(cells), omitted: columns.join(', ') || null };
  }
}

const cellsOfRow = sql<string | null>`(
  select ${presentCells} from row r where r.drop_id = s.drop_id and r.line = s.line)`;

/** The columns whose values the record of `submission as s` is sent without, as a JSON list. */
const omittedColumns = sql<string>`(select ${listOfTexts(sql.ref('i.column_name'))} from issue i
  where i.drop_id = s.drop_id and i.line = s.line and i.code in (${sql.join(OMITTED_VALUE_CODES.map((code) => sql.lit(code)))}))`;

const acceptedAt = sql<string>`(select max(t.at) from transition t
  where t.submission_id = s.submission_id and t.to_state = 'accepted')`;

/** From the answer that accepted `submission as s`. */
const platformId = sql<string | null>`(select p.platform_id from response p
  where p.response_id = ${responseOf(sql`p2.outcome = 'accepted'`)})`;
