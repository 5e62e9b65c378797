import { sql } from 'kysely';
import type { AcceptedAs } from '../../domain/cause.js';
import type { AlterationKind } from '../../domain/text/alteration.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { addRow } from '../store/by-key.js';
import { all, boundLimit, count, type Ledger, query } from '../store/query.js';
import { submissionIn } from '../submissions/columns.js';

/** A text that the platform returned otherwise than it was sent (specification §2.5). Both texts are personal. */
export interface Alteration {
  readonly submissionId: number;
  readonly field: string;
  readonly kind: AlterationKind;
  readonly sent: string;
  readonly returned: string;
}

/** Call it in the transaction that records the answer to the attempt. */
export async function insertAlterations(
  ledger: Ledger,
  attemptId: number,
  alterations: readonly Alteration[],
) {
  for (const { submissionId, ...text } of alterations) {
    await addRow(ledger, 'alteration', { attempt_id: attemptId, submission_id: submissionId, ...text });
  }
}

/** The first `limit` alterations of the selection, in order. */
export async function alterationsIn(ledger: Ledger, selection: ReportSelection, limit: number) {
  const shown = alteredIn(selection)
    .select(['d.file_name as file', 's.line', 'a.field', 'a.kind', 'a.sent', 'a.returned'])
    .orderBy('a.attempt_id')
    .limit(boundLimit(limit));
  return all(ledger, shown);
}

function alteredIn(selection: ReportSelection) {
  return query
    .selectFrom('alteration as a')
    .innerJoin('submission as s', 's.submission_id', 'a.submission_id')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .where(submissionIn(selection));
}

/** Counts the selection's alterations by kind; a kind without any is absent. */
export async function countAlterations(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<Partial<Record<AlterationKind, number>>> {
  const counted = alteredIn(selection)
    .select(['a.kind', sql<number>`count(*)`.as('count')])
    .groupBy('a.kind');
  return Object.fromEntries((await all(ledger, counted)).map(({ kind, count }) => [kind, count]));
}

/** Counts submissions that were accepted because what they create already existed (specification §3). */
export async function existingIn(ledger: Ledger, selection: ReportSelection) {
  // A query for each state, with literals: otherwise SQLite doesn't use the index of rare submissions.
  const accepted = (how: AcceptedAs) =>
    query
      .selectFrom('submission as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .where(sql<boolean>`s.accepted_as = ${sql.lit(how)}`)
      .where(submissionIn(selection));
  return {
    existed: await count(ledger, accepted('existed')),
    revived: await count(ledger, accepted('revived')),
  };
}
