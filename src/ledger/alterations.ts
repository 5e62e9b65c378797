import { sql } from 'kysely';
import type { AlterationKind } from '../domain/alteration.js';
import type { AcceptedAs } from '../domain/cause.js';
import { type Scope, submissionIn } from './books.js';
import { all, change, type Ledger, query } from './query.js';

/** A text that the platform gives back otherwise than it was sent (specification §2.5). Personal, both texts. */
export interface Alteration {
  readonly submissionId: number;
  readonly field: string;
  readonly kind: AlterationKind;
  readonly sent: string;
  readonly returned: string;
}

/** Keeps what an attempt's answer shows to be altered. Call it in the transaction that keeps the answer. */
export function insertAlterations(
  ledger: Ledger,
  attemptId: number,
  alterations: readonly Alteration[],
): void {
  for (const { submissionId, field, kind, sent, returned } of alterations) {
    change(
      ledger,
      query
        .insertInto('alteration')
        .values({ attempt_id: attemptId, submission_id: submissionId, field, kind, sent, returned })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

/** An alteration with the place of its row; texts are null once erased. */
export interface PlacedAlteration {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly kind: AlterationKind;
  readonly sent: string | null;
  readonly returned: string | null;
}

/** The scope's alterations in the order in which they came, the first `limit`. */
export function alterationsIn(ledger: Ledger, scope: Scope, limit: number): PlacedAlteration[] {
  return all(
    ledger,
    query
      .selectFrom('alteration as a')
      .innerJoin('submission as s', 's.submission_id', 'a.submission_id')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['d.file_name as file', 's.line', 'a.field', 'a.kind', 'a.sent', 'a.returned'])
      .where(submissionIn(scope))
      .orderBy('a.attempt_id')
      .limit(limit),
  );
}

/** How many alterations the scope has, by kind; a kind without any is left out. */
export function countAlterations(ledger: Ledger, scope: Scope): Partial<Record<AlterationKind, number>> {
  const counted = all(
    ledger,
    query
      .selectFrom('alteration as a')
      .innerJoin('submission as s', 's.submission_id', 'a.submission_id')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['a.kind', sql<number>`count(*)`.as('count')])
      .where(submissionIn(scope))
      .groupBy('a.kind'),
  );
  return Object.fromEntries(counted.map(({ kind, count }) => [kind, count]));
}

/** Submissions that were accepted because what they create was there before (specification §3). */
export interface ExistingCounts {
  /** Left as they were. */
  readonly existed: number;
  /** Made what their rows say. */
  readonly revived: number;
}

export function existingIn(ledger: Ledger, scope: Scope): ExistingCounts {
  const counted = all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['s.accepted_as as how', sql<number>`count(*)`.as('count')])
      // In letters and with "or", as in the index of such rows, so that SQLite sees that it serves.
      .where(sql<boolean>`(s.accepted_as = 'existed' or s.accepted_as = 'revived')`)
      .where(submissionIn(scope))
      .groupBy('s.accepted_as'),
  );
  const of = (how: AcceptedAs) => counted.find((one) => one.how === how)?.count ?? 0;
  return { existed: of('existed'), revived: of('revived') };
}
