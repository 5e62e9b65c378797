import { sql } from 'kysely';
import { type IssueCode, LEFT_OUT_CODES } from '../../../domain/issue.js';
import { publishedIn, type ReportSelection } from '../../drops/report-selection.js';
import type { Ledger } from '../../store/query.js';

/** Values of one column that the records of one file lack. */
export type LeftOutCount = Awaited<ReturnType<typeof leftOutIn>>[number];

/** The values that the records of the selection lack because their cells could not be read, file by file, with the first line. */
export async function leftOutIn(ledger: Ledger, selection: ReportSelection) {
  return ledger.db
    .selectFrom('issue as i')
    .innerJoin('drop_file as d', 'd.drop_id', 'i.drop_id')
    .select([
      sql<IssueCode>`i.code`.as('code'),
      sql<string>`coalesce(i.column_name, '')`.as('column'),
      'd.drop_id as dropId',
      'd.file_name as file',
      sql<number>`count(distinct i.line)`.as('count'),
      sql<number>`min(i.line)`.as('line'),
    ])
    .where('i.code', 'in', [...LEFT_OUT_CODES])
    .where(publishedIn(selection))
    .groupBy(['d.drop_id', 'i.code', 'i.column_name'])
    .orderBy('d.drop_id')
    .orderBy('line')
    .execute();
}
