import { sql } from 'kysely';
import type { Operation } from '../operations/operation.js';
import { type RecordKeys, SLOT_DIGITS } from './keys.js';
import { beginsLike, bytes, first, type Ledger, query } from './query.js';
import { judge, revisionsOf } from './revisions.js';

/** What the ledger has of a record under identifiers that were corrected to its learner's. */
export interface FormerRows {
  /** The submission that it repeats; null: none. */
  readonly repeats: number | null;
  /** Its occurrence was accepted with other content. */
  readonly hasAccepted: boolean;
  /** A later one was accepted for what it is about. */
  readonly hasLater: boolean;
}

/**
 * Looks a record up under its learner's former identifiers: what was accepted under one of them must not be sent again
 * under another.
 * @param moved a submission that the record is to replace: neither it nor what was replaced before is repeated then.
 */
export function formerRows(
  ledger: Ledger,
  row: { readonly formers?: readonly RecordKeys[]; readonly occurredAt: string | null },
  kind: Operation['kind'],
  moved?: number,
): FormerRows {
  let hasAccepted = false;
  let hasLater = false;
  for (const keys of row.formers ?? []) {
    const revisions = revisionsOf(ledger, keys).filter(
      ({ submissionId, state }) => moved === undefined || (submissionId !== moved && state !== 'replaced'),
    );
    const judgement = judge(keys.content, revisions, kind);
    if (judgement.disposition === 'duplicate') {
      return { repeats: judgement.of, hasAccepted: false, hasLater: false };
    }
    hasAccepted ||= revisions.some(({ state }) => state === 'accepted');
    hasLater ||= hasAcceptedAfter(ledger, keys.slot, row.occurredAt);
  }
  return { repeats: null, hasAccepted, hasLater };
}

function hasAcceptedAfter(ledger: Ledger, slot: string, occurredAt: string | null): boolean {
  if (occurredAt === null) return false;
  const later = first(
    ledger,
    query
      .selectFrom('submission')
      .select('submission_id')
      .where(beginsLike('key', bytes(slot), SLOT_DIGITS))
      .where('slot', '=', bytes(slot))
      .where(sql<boolean>`+state = 'accepted'`)
      .where('occurred_at', '>', occurredAt)
      .limit(1),
  );
  return later !== undefined;
}
