import { sql } from 'kysely';
import type { FormerRecord } from '../../domain/delivery/judge.js';
import { beginsLike, bytes, firstNow, type Ledger, query } from '../store/query.js';
import { occurredAt, type RecordIdentity, SLOT_DIGITS } from './record/keys.js';
import { revisionsOf } from './revisions.js';

/**
 * What the ledger has of a record under its learner's former identifiers.
 * @param formers its keys under each of them; undefined: there is none.
 */
export function formerRecords(
  ledger: Ledger,
  formers: readonly RecordIdentity[] | undefined,
): FormerRecord[] {
  return (formers ?? []).map((keys) => ({
    content: keys.content,
    revisions: revisionsOf(ledger, keys),
    latestAcceptedAt: latestAcceptedAt(ledger, keys.key),
  }));
}

/** Keys of a slot are in the order of their times. */
function latestAcceptedAt(ledger: Ledger, key: string): string | null {
  const latest = firstNow(
    ledger,
    query
      .selectFrom('submission')
      .select(sql<string | null>`lower(hex(max(key)))`.as('key'))
      .where(beginsLike('key', bytes(key), SLOT_DIGITS))
      .where(sql<boolean>`+state = 'accepted'`),
  );
  return latest?.key ? occurredAt(latest.key) : null;
}
