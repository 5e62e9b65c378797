import { sql } from 'kysely';
import type { RowIssue } from '../../../documents/trace.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { rowOf } from '../../store/by-key.js';
import type { Ledger } from '../../store/query.js';

/** The disposition of the row at this place, and the submission that it became or repeats (null: none); null: there is no row. */
export async function rowAt(ledger: Ledger, { dropId, line }: RowRef) {
  const row = await rowOf(ledger, 'row', { drop_id: dropId, line });
  if (row !== undefined) return { disposition: row.disposition, submission: row.submission_id };
  const isBlank = await isAmongBlanks(ledger, { dropId, line });
  return isBlank ? ({ disposition: 'blank', submission: null } as const) : null;
}

/** True for a blank line that is recorded as part of the blank row above it. */
async function isAmongBlanks(ledger: Ledger, { dropId, line }: RowRef): Promise<boolean> {
  const above = await ledger.db
    .selectFrom('row')
    .select(['line', 'lines'])
    .where('drop_id', '=', dropId)
    .where('line', '<', line)
    .orderBy('line', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return above !== undefined && line < above.line + above.lines;
}

/** Condition on `issue`: it was found when its row was last read. */
const isLatest = sql<boolean>`coalesce(decision_id, 0) = (select max(coalesce(l.decision_id, 0)) from issue l
  where l.drop_id = issue.drop_id and l.line = issue.line)`;

/** The issues of a row from when it was last read, in order. Personal. */
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
