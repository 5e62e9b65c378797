import { sql } from 'kysely';
import { LEFT_OUT_CODES } from '../../../domain/issue.js';
import { dropsWhere } from '../../drops/published-drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsIn, presentCells } from '../../drops/rows/kept-rows.js';
import { listOfTexts } from '../../store/dialect.js';
import { each, type Ledger, query } from '../../store/query.js';
import { submissionIn, touchedIn } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/kept-record.js';
import { requestCount, responseOf } from './attention.js';

/** A published drop with rows of a selection. */
export type ListedDrop = Awaited<ReturnType<typeof listedDrops>>[number];

/** The drops of the selection in the order of their import; for a run, also those with a submission that it moved. */
export async function listedDrops(ledger: Ledger, selection: ReportSelection) {
  const drops = await dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${touchedIn(selection)}`);
  return drops.map((drop) => ({ ...drop, drop: drop.dropId }));
}

/**
 * Streams a drop's rows that the platform accepted, in line order; for a selection, only the rows of its submissions.
 * `record` and `cells` are null once erased; `omitted`: the columns whose cells couldn't be read; null: none.
 * Personal.
 */
export async function* acceptedRows(ledger: Ledger, dropId: number, selection: ReportSelection = {}) {
  const rows = query
    .selectFrom('submission_record as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.line', 's.encoded_record as record', cellsOfRow.as('cells')])
    .select([acceptedAt.as('acceptedAt'), platformId.as('platformId')])
    .select([omittedColumns.as('omitted'), requestCount.as('attempts')])
    .where('s.drop_id', '=', dropId)
    .where('s.state', '=', sql.lit('accepted'))
    .where(submissionIn(selection))
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
  where i.drop_id = s.drop_id and i.line = s.line and i.code in (${sql.join(LEFT_OUT_CODES.map((code) => sql.lit(code)))}))`;

const acceptedAt = sql<string>`(select max(t.at) from transition t
  where t.submission_id = s.submission_id and t.to_state = 'accepted')`;

/** From the answer that accepted `submission as s`. */
const platformId = sql<string | null>`(select p.platform_id from response p
  where p.response_id = ${responseOf(sql`p2.outcome = 'accepted'`)})`;
