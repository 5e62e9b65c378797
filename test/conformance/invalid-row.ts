import type { IssueCode } from '../../src/domain/issue.js';
import type { PreparedRow } from '../../src/ledger/submissions/staging/read-rows.js';

/** A row that is invalid for one reason. */
export function invalidRow(
  line: number,
  code: IssueCode = 'value-missing',
): PreparedRow & { kind: 'invalid' } {
  const issue = { code, column: 'Email', value: null, message: 'it is empty', remedy: 'fill it' };
  return { kind: 'invalid', line, issues: [issue] };
}
