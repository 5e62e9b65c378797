import { sql } from 'kysely';
import { LEFT_OUT_CODES } from '../../../domain/issue.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsIn, presentCells } from '../../drops/rows/kept-rows.js';
import { joinedTexts } from '../../store/dialect.js';
import { each, type Ledger, query } from '../../store/query.js';
import { submissionIn } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/kept-record.js';
import { responseOf } from './attention.js';

/**
 * Streams a drop's rows that the platform accepted, in line order; for a selection only the rows of its submissions. `record` and
 * `cells` are null once erased; `leftOut` names the columns whose cells can't be read, null: none. Personal.
 */
export async function* acceptedRows(ledger: Ledger, dropId: number, selection: ReportSelection = {}) {
  const rows = await each(
    ledger,
    query
      .selectFrom('submission_record as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select([
        's.line',
        's.told as record',
        cellsOfRow.as('cells'),
        sql<string>`(select max(t.at) from transition t
          where t.submission_id = s.submission_id and t.to_state = 'accepted')`.as('acceptedAt'),
        sql<string | null>`(select p.platform_id from response p
          where p.response_id = ${acceptedResponse})`.as('platformId'),
        leftOutColumns.as('leftOut'),
        sql<number>`(select count(*) from attempt_submission x where x.submission_id = s.submission_id)`.as(
          'attempts',
        ),
      ])
      .where('s.drop_id', '=', dropId)
      .where('s.state', '=', sql.lit('accepted'))
      .where(submissionIn(selection))
      .orderBy('s.line'),
  );
  for await (const { record, cells, ...row } of rows) {
    yield { ...row, record: fieldsIn(record), cells: cellsIn(cells) };
  }
}

/** For `submission as s`: the cells of its row. */
const cellsOfRow = sql<string | null>`(
  select ${presentCells} from row r where r.drop_id = s.drop_id and r.line = s.line)`;

/** For `submission as s`: the columns whose values its record lacks. */
const leftOutColumns = sql<string | null>`(select ${joinedTexts(sql.ref('i.column_name'), ', ')} from issue i
  where i.drop_id = s.drop_id and i.line = s.line and i.code in (${sql.join(LEFT_OUT_CODES.map((code) => sql.lit(code)))}))`;

/** The answer that accepted `submission as s`. */
const acceptedResponse = responseOf(sql`p2.outcome = 'accepted'`);
