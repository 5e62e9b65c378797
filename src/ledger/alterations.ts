import { sql } from 'kysely';
import type { AlterationKind } from '../domain/alteration.js';
import { type Scope, submissionIn } from './books.js';
import { all, change, type Ledger, query } from './query.js';

/** Why a submission is accepted whose thing was there before. */
export const EXISTED = 'existed already';
export const RESTORED = 'restored';

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
  readonly restored: number;
}

export function existingIn(ledger: Ledger, scope: Scope): ExistingCounts {
  const counted = all(
    ledger,
    query
      .selectFrom('transition as t')
      .innerJoin('submission as s', 's.submission_id', 't.submission_id')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['t.reason', sql<number>`count(*)`.as('count')])
      .where('t.event', '=', 'accepted')
      .where('t.reason', 'in', [EXISTED, RESTORED])
      .where(submissionIn(scope))
      .groupBy('t.reason'),
  );
  const of = (reason: string) => counted.find((one) => one.reason === reason)?.count ?? 0;
  return { existed: of(EXISTED), restored: of(RESTORED) };
}
