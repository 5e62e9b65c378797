import { type RawBuilder, sql } from 'kysely';
import type { Closure } from '../../../documents/report.js';
import type { RefusedDrop } from '../../../documents/status.js';
import { isoFromMs } from '../../../domain/clock.js';
import { grouped } from '../../../domain/grouped.js';
import type { Refusal } from '../../../domain/issue.js';
import { rowOf } from '../../store/by-key.js';
import { isAmong } from '../../store/dialect.js';
import { all, change, first, type Ledger, query, reading } from '../../store/query.js';
import { fileNamed } from '../drops.js';

/**
 * Condition on `drop as o` and a refused `drop as d`: `o` has the same bytes and was published since, for any source.
 * For a container, `o` is a file of it. For a workbook whose sheets are a drop each, `o` is the same sheet; a refused
 * whole file may also be published later sheet by sheet.
 */
const isSameFile: RawBuilder<boolean> = sql<boolean>`(o.drop_id <> d.drop_id
  and o.sha256 in (select d.sha256 union all
    select c.sha256 from contained_file c where c.source = d.source and c.container_sha256 = d.sha256)
  and o.state = 'published' and o.published_at >= d.taken_at
  and (o.part = d.part or (d.part = '' and o.run_id <> d.run_id)))`;

/** Condition on `drop as d`: it is refused, not dismissed, and its bytes were not imported since. */
export const isOpenRefusal: RawBuilder<boolean> = sql<boolean>`(d.state = 'refused' and not exists (
  select 1 from refused_drop f where f.drop_id = d.drop_id and f.taken_at = d.taken_at and f.closed_at is not null)
  and not exists (select 1 from drop_file o where ${isSameFile}))`;

/** The open refused files, the latest first. */
export async function refusedDrops(ledger: Ledger): Promise<RefusedDrop[]> {
  return all(ledger, openRefusals().orderBy('d.drop_id', 'desc'));
}

/** Counts the open refused files by source, with the arrival of the first of them and the codes of the refusals. */
export async function refusedBySource(ledger: Ledger) {
  const open = grouped(await refusedDrops(ledger), ({ source }) => source);
  return [...open].map(([source, own]) => ({
    source,
    files: own.length,
    since: own.map(({ importedAt }) => importedAt).sort()[0] ?? '',
    codes: [...new Set(own.map(({ code }) => code))].sort(),
  }));
}

/** A requested drop that isn't an open refused file. */
export type OtherDrop = NonNullable<Awaited<ReturnType<typeof refusalsToDismiss>>['other']>;

/**
 * Finds refused files to dismiss: those with a file name, oldest first, and the one with a drop number.
 * @returns `other` where that drop isn't an open refused file: its file (null: there is no such drop), and how it was
 * closed (null: it was never refused).
 */
export async function refusalsToDismiss(
  ledger: Ledger,
  { file, drop }: { readonly file: string | null; readonly drop: number | null },
) {
  return reading(ledger, async (ledger) => {
    const named = openRefusals().orderBy('d.drop_id');
    const files = file === null ? [] : await all(ledger, named.where(fileNamed(file)));
    if (drop === null || files.some((one) => one.drop === drop)) return { files, other: null };
    const one = await first(ledger, openRefusals().where('d.drop_id', '=', drop));
    if (one !== undefined) return { files: [...files, one], other: null };
    const file_name = (await rowOf(ledger, 'drop_file', { drop_id: drop }))?.file_name ?? null;
    return { files, other: { drop, file: file_name, closure: await closureOf(ledger, drop) } };
  });
}

/** The open refused files. Uses `refused_drop` to find them, because the rows of `drop_file` are long. */
function openRefusals() {
  return query
    .selectFrom('drop_file as d')
    .innerJoin('refused_drop as r', 'r.drop_id', 'd.drop_id')
    .select([
      'd.drop_id as drop',
      'd.source',
      'd.file_name as file',
      'd.taken_at as importedAt',
      'r.code',
      sql<string>`d.refusal`.as('refusal'),
    ])
    .where(sql<boolean>`d.drop_id in (select u.drop_id from refused_drop u where u.closed_at is null)`)
    .where(isOpenRefusal);
}

/** How a refused file was closed; null: it is open, or the drop wasn't refused. */
export async function closureOf(ledger: Ledger, dropId: number): Promise<Closure | null> {
  const dismissal = await ledger.db
    .selectFrom('drop_file as d')
    .innerJoin('refused_drop as f', (join) =>
      join.onRef('f.drop_id', '=', 'd.drop_id').onRef('f.taken_at', '=', 'd.taken_at'),
    )
    .innerJoin('decision as x', 'x.decision_id', 'f.decision_id')
    .select([sql<string>`f.closed_at`.as('at'), 'x.decision_id as decision', 'x.who', 'x.because'])
    .where('d.drop_id', '=', dropId)
    .where('d.state', '=', sql.lit('refused'))
    .where('f.closed_at', 'is not', null)
    .executeTakeFirst();
  if (dismissal !== undefined) return { kind: 'dismissed', ...dismissal };
  return sameBytesElsewhere(ledger, dropId);
}

/** Finds the import of the same bytes for any source, which closes a refused file: it may have been in the wrong inbox. */
async function sameBytesElsewhere(ledger: Ledger, dropId: number): Promise<Closure | null> {
  const other = await ledger.db
    .selectFrom('drop_file as d')
    .innerJoin('drop_file as o', (join) => join.on(isSameFile))
    .select(['o.drop_id as drop', sql<string>`o.published_at`.as('at')])
    .where('d.drop_id', '=', dropId)
    .where('d.state', '=', sql.lit('refused'))
    .orderBy('o.drop_id')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return other === undefined ? null : { kind: 'came-in', ...other };
}

/** Records that a decision has dismissed these refused files. Call it in the transaction that records the decision. */
export async function dismissRefusals(
  ledger: Ledger,
  dropIds: readonly number[],
  decisionId: number,
): Promise<void> {
  const closedAt = isoFromMs(ledger.clock.nowMs());
  await ledger.db
    .updateTable('refused_drop')
    .from('drop_file as d')
    .set({ taken_at: sql`d.taken_at`, decision_id: decisionId, closed_at: closedAt })
    .whereRef('d.drop_id', '=', 'refused_drop.drop_id')
    .where('d.state', '=', sql.lit('refused'))
    .where(isAmong('refused_drop.drop_id', dropIds))
    .execute();
}

/** Records the code of a refusal. Call it in the transaction that records the refusal. */
export async function storeRefusal(ledger: Ledger, dropId: number, code: Refusal['code']): Promise<void> {
  await change(
    ledger,
    sql`insert into refused_drop (drop_id, taken_at, code)
      select drop_id, taken_at, ${code} from drop_file where drop_id = ${dropId}
      on conflict (drop_id) do update
        set taken_at = excluded.taken_at, code = excluded.code, closed_at = null, decision_id = null`,
  );
}
