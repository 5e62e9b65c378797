import { sql } from 'kysely';
import type { FormerRecord, KnownRevision } from '../../domain/delivery/judge.js';
import { allNow, beginsLike, bytes, firstNow, type Ledger, query } from '../store/query.js';
import type { RecordKeys } from './record/keys.js';
import { occurredAt, type RecordIdentity, SLOT_DIGITS } from './record/keys.js';
import type { PreparedRecord } from './record/prepared-record.js';

/** The revisions of a key, oldest first, including those of a drop being staged. */
export function revisionsOf(ledger: Ledger, { key }: Pick<RecordKeys, 'key'>): KnownRevision[] {
  return allNow(
    ledger,
    query
      .selectFrom('submission')
      .select([
        'submission_id as submissionId',
        'revision',
        'state',
        sql<string>`lower(hex(content))`.as('content'),
      ])
      .where('key', '=', bytes(key))
      .orderBy('revision'),
  );
}

/**
 * The former records of a record, under its learner's former identifiers.
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

/** What the ledger has of a record. */
export interface KnownRecord {
  /** The revisions its key has, oldest first. */
  readonly revisions: readonly KnownRevision[];
  /** Its former records, under former identifiers of its learner. */
  readonly formers: readonly FormerRecord[];
}

/** Reads what the ledger has of some records, which decides what they would become if they came in. */
export async function knownRecords(
  ledger: Ledger,
  records: readonly Pick<PreparedRecord, 'keys' | 'formers'>[],
): Promise<readonly KnownRecord[]> {
  return records.map(({ keys, formers }) => ({
    revisions: revisionsOf(ledger, keys),
    formers: formerRecords(ledger, formers),
  }));
}
