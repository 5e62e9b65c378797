import { sql } from 'kysely';
import { ROW_OUTCOMES } from '../../domain/delivery/correction.js';
import { grouped } from '../../domain/grouped.js';
import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import { cellsIn } from '../drops/rows/kept-rows.js';
import { pagesOf } from '../store/pages.js';
import type { Ledger } from '../store/query.js';
import type { OutcomeCounts } from '../submissions/again/again-page.js';

/** A row with the cells that a correction gives it. Personal. */
export interface CorrectedRow extends RowRef {
  readonly cells: readonly Cell[];
}

/** What a returned file asks for and can't be done. Personal. */
export interface CorrectionIssue extends Issue {
  /** null for a text file. */
  readonly sheet: string | null;
  /** The line of the returned file. */
  readonly line: number;
}

/** Keeps what a decision to correct is about. Call in the transaction that records the decision. */
export async function saveCorrectedRows(
  ledger: Ledger,
  decisionId: number,
  rows: readonly CorrectedRow[],
  issues: readonly CorrectionIssue[],
): Promise<void> {
  for (const page of pagesOf(rows, AT_ONCE)) {
    const values = page.map(({ dropId, line, cells }) => ({
      decision_id: decisionId,
      drop_id: dropId,
      line,
      cells: JSON.stringify(cells),
      outcome: null,
    }));
    await ledger.db.insertInto('corrected_row').values(values).execute();
  }
  const kept = issues.map(({ column, ...issue }, ordinal) => ({
    decision_id: decisionId,
    ordinal,
    column_name: column,
    ...issue,
  }));
  for (const page of pagesOf(kept, AT_ONCE))
    await ledger.db.insertInto('correction_issue').values(page).execute();
}

/** Rows of one statement. */
const AT_ONCE = 100;

/** The rows of an open correction that are not carried out, by their drops; without cells where they were erased meanwhile. Personal. */
export async function rowsLeft(
  ledger: Ledger,
  decisionId: number,
): Promise<ReadonlyMap<number, readonly { readonly line: number; readonly cells: readonly Cell[] }[]>> {
  const left = await ledger.db
    .selectFrom('corrected_row')
    .select(['drop_id as dropId', 'line', 'cells'])
    .where('decision_id', '=', decisionId)
    .where('outcome', 'is', null)
    .orderBy('drop_id')
    .orderBy('line')
    .execute();
  const rows = left.map(({ dropId, line, cells }) => ({ dropId, line, cells: cellsIn(cells) ?? [] }));
  return grouped(rows, ({ dropId }) => dropId);
}

/** How many rows of a correction came to what; those that are not carried out yet count nowhere. */
export async function outcomesOf(ledger: Ledger, decisionId: number): Promise<OutcomeCounts> {
  const counted = await ledger.db
    .selectFrom('corrected_row')
    .select(
      ROW_OUTCOMES.map((name) =>
        sql<number>`count(case when outcome = ${sql.lit(name)} then 1 end)`.as(name),
      ),
    )
    .where('decision_id', '=', decisionId)
    .executeTakeFirst();
  return counted as OutcomeCounts;
}

/** More are not read by anybody. */
const MAX_ISSUES = 500;

/** The first things that a returned file asked for and its decision left, in the order of the file. Value and sentence are null once erased. */
export async function issuesOfCorrection(ledger: Ledger, decisionId: number) {
  return ledger.db
    .selectFrom('correction_issue')
    .select(['sheet', 'line', 'code', 'column_name as column', 'value', 'message', 'remedy'])
    .where('decision_id', '=', decisionId)
    .orderBy('ordinal')
    .limit(sql.lit(MAX_ISSUES))
    .execute();
}
