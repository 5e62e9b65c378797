import { sql } from 'kysely';
import type { KnownRevision } from '../../domain/delivery/judge.js';
import { allNow, bytes, type Ledger, query } from '../store/query.js';
import type { RecordKeys } from './record/keys.js';

/** The revisions a key has, oldest first; those of a drop being staged are among them. */
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
