import type { IssueCode } from '../../../domain/issue.js';
import { all, type Ledger, query } from '../../store/query.js';

/** One issue of a row as it is kept. Personal: value and sentence are null once erased. */
export interface RowIssue {
  readonly code: IssueCode;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string | null;
  readonly remedy: string;
}

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
