import type { RowIssue } from '../../../documents/trace.js';
import { all, type Ledger, query } from '../../store/query.js';

/** What is wrong with a row, in the order in which it was found. Personal. */
export async function issuesOf(ledger: Ledger, dropId: number, line: number): Promise<RowIssue[]> {
  return all(
    ledger,
    query
      .selectFrom('issue')
      .select(['code', 'column_name as column', 'value', 'message', 'remedy'])
      .where('drop_id', '=', dropId)
      .where('line', '=', line)
      .orderBy('ordinal'),
  );
}
