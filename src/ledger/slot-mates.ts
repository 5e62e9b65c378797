import { sql } from 'kysely';
import type { Guarded } from '../domain/guard.js';
import { SLOT_DIGITS } from './keys.js';
import { all, beginsLike, type Ledger, query } from './query.js';

/** A submission with the others of its slot. */
export interface WithMates {
  readonly own: Guarded & { readonly operation: string };
  readonly mates: readonly Guarded[];
}

/** Those of the submissions that aren't alone in their slot, with the other published ones of it. */
export function withSlotMates(ledger: Ledger, submissionIds: readonly number[]): WithMates[] {
  const pairs = all(
    ledger,
    query
      .selectFrom(sql<{ value: number }>`json_each(${JSON.stringify(submissionIds)})`.as('chosen'))
      .innerJoin('submission as s', 's.submission_id', 'chosen.value')
      .innerJoin('submission as m', (join) =>
        join
          .on(beginsLike('m.key', sql.ref('s.slot'), SLOT_DIGITS))
          .onRef('m.slot', '=', 's.slot')
          .onRef('m.submission_id', '<>', 's.submission_id'),
      )
      .innerJoin('drop as d', 'd.drop_id', 'm.drop_id')
      .select(['s.submission_id as ofId', 'm.submission_id as id'])
      .where('d.state', '=', 'published'),
  );
  if (pairs.length === 0) return [];
  const known = guarded(ledger, [...new Set(pairs.flatMap(({ ofId, id }) => [ofId, id]))]);
  const matesOf = new Map<number, Guarded[]>();
  for (const { ofId, id } of pairs) {
    const mate = known.get(id);
    if (mate) matesOf.set(ofId, [...(matesOf.get(ofId) ?? []), mate]);
  }
  return [...matesOf].flatMap(([id, mates]) => {
    const own = known.get(id);
    return own ? [{ own, mates }] : [];
  });
}

function guarded(ledger: Ledger, submissionIds: readonly number[]): ReadonlyMap<number, WithMates['own']> {
  const rows = all(
    ledger,
    query
      .selectFrom('submission')
      .select([
        'submission_id as id',
        sql<string>`lower(hex(key))`.as('key'),
        'revision',
        'occurred_at as occurredAt',
        'state',
        'pass',
        'operation',
      ])
      .where(sql<boolean>`submission_id in (select value from json_each(${JSON.stringify(submissionIds)}))`),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
