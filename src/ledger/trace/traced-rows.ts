import { sql } from 'kysely';
import type { RowIssue } from '../../documents/trace.js';
import type { RowRef } from '../../domain/row-ref.js';
import { decisionsNumbered, type KeptDecision } from '../decisions/decision-log.js';
import { type RowRead, rowAt } from '../drops/rows/row-at.js';
import { issuesOf } from '../drops/rows/row-issues.js';
import { type Ledger, query } from '../store/query.js';

/** Rows that repeat the submission, and invalid rows that became it or turned out to repeat it. */
export async function rowsLeadingTo(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  return (
    ledger.db
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
      .orderBy('line')
      .execute()
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
  /** The submission that it became or turned out to repeat; null: it was dismissed or skipped, or its learner was forgotten. */
  readonly submission: number | null;
}

/** The fate of a row; null when no row was read at this place. */
export async function rowFate(ledger: Ledger, { dropId, line }: RowRef): Promise<RowFate | null> {
  const row = await rowAt(ledger, { dropId, line });
  if (row === null) return null;
  const issues = await issuesOf(ledger, dropId, line);
  const resolution = await ledger.db
    .selectFrom('resolution as z')
    .select(['z.decision_id as decisionId', 'z.submission_id as submission'])
    .where('z.drop_id', '=', dropId)
    .where('z.line', '=', line)
    .executeTakeFirst();
  if (resolution === undefined) return { ...row, issues, resolution: null };
  const { decisionId, submission } = resolution;
  const decision = (await decisionsNumbered(ledger, [decisionId])).get(decisionId) as KeptDecision;
  return { ...row, issues, resolution: { decision, submission } };
}
