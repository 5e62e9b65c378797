import { sql } from 'kysely';
import type { Operation } from '../operations/operation.js';
import type { RecordKeys } from './keys.js';
import { all, bytes, type Ledger, query } from './query.js';

/** A revision that a key already has. */
export interface KnownRevision {
  readonly submissionId: number;
  readonly revision: number;
  readonly content: string;
  readonly state: string;
}

/** What a record is beside the revisions its key already has. */
export type Judgement =
  | { readonly disposition: 'staged' | 'amended'; readonly revision: number }
  | { readonly disposition: 'duplicate'; readonly of: number };

/** The revisions a key has, oldest first; those of a drop being staged are among them. */
export function revisionsOf(ledger: Ledger, { key }: Pick<RecordKeys, 'key'>): KnownRevision[] {
  return all(
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
 * Decides between staged, duplicate and amended. Occurrences repeat any earlier revision of their key; other records
 * repeat only the latest, since adding again after deleting is news.
 * @param isRedrop true for a corrected row: what was replaced and never delivered is not repeated, so that a correction
 *   can be taken back by another one.
 */
export function judge(
  content: string,
  revisions: readonly {
    readonly submissionId: number;
    readonly revision: number;
    readonly content: string;
    readonly state?: string;
  }[],
  kind: Operation['kind'],
  isRedrop = false,
): Judgement {
  const latest = Math.max(0, ...revisions.map((known) => known.revision));
  const compared =
    kind !== 'occurrences' ? revisions.filter((known) => known.revision === latest) : revisions;
  const same = compared.find(
    (known) => known.content === content && !(isRedrop && known.state === 'replaced'),
  );
  if (same) return { disposition: 'duplicate', of: same.submissionId };
  return { disposition: latest === 0 ? 'staged' : 'amended', revision: latest + 1 };
}
