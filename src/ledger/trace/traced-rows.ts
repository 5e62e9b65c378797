import { sql } from 'kysely';
import type { RowIssue } from '../../documents/trace.js';
import type { RowRef } from '../../domain/row-ref.js';
import { decisionsNumbered, type KeptDecision } from '../decisions/decision-log.js';
import { type RowRead, rowAt } from '../drops/rows/row-at.js';
import { issuesOf } from '../drops/rows/row-issues.js';
import { all, first, type Ledger, query } from '../store/query.js';

/** Rows that repeat the submission, and invalid rows that became it or turned out to repeat it. */
export async function rowsLeadingTo(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  return all(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
      .select(['r.drop_id as dropId', 'r.line'])
      // A literal: SQLite uses the index of duplicates only for exactly this condition.
      .where(sql<boolean>`r.disposition = 'duplicate'`)
      .where('r.submission_id', '=', submissionId)
      .where('d.state', '=', sql.lit('published'))
      .unionAll(
        query
          .selectFrom('resolution as z')
          .select(['z.drop_id as dropId', 'z.line'])
          .where('z.submission_id', '=', submissionId),
      )
      .orderBy('dropId')
      .orderBy('line'),
  );
}

/** A row's disposition, and what it became since. */
export interface RowFate extends RowRead {
  readonly issues: readonly RowIssue[];
  /** How a later decision resolved an invalid row; null: none has. */
  readonly resolution: Resolution | null;
}

/** How an invalid row was resolved. */
export interface Resolution {
  readonly decision: KeptDecision;
  /**
   * The submission that it became or turned out to repeat; null: it was dismissed, its learner was forgotten, or another row
   * corrects it.
   */
  readonly submission: number | null;
  /** The row of a later file that it was resolved by, and that became no submission either; null: it was resolved otherwise. */
  readonly by: (RowRef & { readonly file: string }) | null;
}

/** The fate of a row; null when no row was read at this place. */
export async function rowFate(ledger: Ledger, { dropId, line }: RowRef): Promise<RowFate | null> {
  const row = await rowAt(ledger, { dropId, line });
  if (row === null) return null;
  const issues = await issuesOf(ledger, dropId, line);
  const resolution = await first(
    ledger,
    query
      .selectFrom('resolution as z')
      .leftJoin('drop_file as later', 'later.drop_id', 'z.successor_drop_id')
      .select(['z.decision_id as decisionId', 'z.submission_id as submission'])
      .select(['later.drop_id as laterId', 'later.file_name as file', 'z.successor_line as laterLine'])
      .where('z.drop_id', '=', dropId)
      .where('z.line', '=', line),
  );
  if (resolution === undefined) return { ...row, issues, resolution: null };
  const { decisionId, submission, laterId, laterLine, file } = resolution;
  const decision = (await decisionsNumbered(ledger, [decisionId])).get(decisionId) as KeptDecision;
  const by =
    laterId === null || laterLine === null ? null : { dropId: laterId, line: laterLine, file: file ?? '' };
  return { ...row, issues, resolution: { decision, submission, by } };
}
