import { sql } from 'kysely';
import type { RowIssue } from '../../../documents/trace.js';
import type { Ledger } from '../../store/query.js';

/** For `issue`: it was found when its row was read last. */
const isLatest = sql<boolean>`coalesce(decision_id, 0) = (select max(coalesce(l.decision_id, 0)) from issue l
  where l.drop_id = issue.drop_id and l.line = issue.line)`;

/** What is wrong with a row as it was read last, in the order in which it was found. Personal. */
export async function issuesOf(ledger: Ledger, dropId: number, line: number): Promise<RowIssue[]> {
  return ledger.db
    .selectFrom('issue')
    .select(['code', 'column_name as column', 'value', 'message', 'remedy'])
    .where('drop_id', '=', dropId)
    .where('line', '=', line)
    .where(isLatest)
    .orderBy('ordinal')
    .execute();
}
