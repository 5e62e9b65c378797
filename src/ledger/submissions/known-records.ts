import type { FormerRecord, KnownRevision } from '../../domain/delivery/judge.js';
import type { Ledger } from '../store/query.js';
import { formerRecords } from './former-rows.js';
import type { PreparedRecord } from './record/prepared-record.js';
import { revisionsOf } from './revisions.js';

/** What the ledger has of a record. */
export interface KnownRecord {
  /** The revisions its key has, oldest first. */
  readonly revisions: readonly KnownRevision[];
  /** What there is of it under former identifiers of its learner. */
  readonly formers: readonly FormerRecord[];
}

/** Gives what the ledger has of each of some records, which decides what they would be if they came in. */
export async function knownRecords(
  ledger: Ledger,
  records: readonly Pick<PreparedRecord, 'keys' | 'formers'>[],
): Promise<readonly KnownRecord[]> {
  return records.map(({ keys, formers }) => ({
    revisions: revisionsOf(ledger, keys),
    formers: formerRecords(ledger, formers),
  }));
}
