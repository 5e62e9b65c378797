import { type RawBuilder, sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { runsOf } from './books.js';
import { fileNamed } from './file-named.js';
import { all, change, first, type Ledger, query, writing } from './query.js';

/** A file that was set aside as a whole. */
export interface RefusedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly takenAt: string;
  /** Why, and what to do. May hold a value: personal. */
  readonly refusal: string;
}

/** How a set-aside file was settled. */
export type Settlement =
  /** Its rows came in: with this drop. */
  | { readonly kind: 'came-in'; readonly drop: number; readonly at: string }
  | {
      readonly kind: 'dismissed';
      readonly decision: number;
      readonly who: string;
      readonly because: string | null;
      readonly at: string;
    };

/**
 * Condition on `drop as o` and `drop as d`, one that was refused: the same bytes, for whichever source, have come in since. Of
 * a workbook whose sheets are a drop each that is the same sheet; a whole file may come in by its sheets another time.
 */
const isSameFile: RawBuilder<boolean> = sql<boolean>`(o.sha256 = d.sha256 and o.drop_id <> d.drop_id
  and o.state = 'published' and o.published_at >= d.taken_at
  and (o.part = d.part or (d.part = '' and o.run_id <> d.run_id)))`;

/** Condition on `drop as d`, one that was refused: nobody has dismissed it, and its rows are not known to have come in. */
export const isOpenRefusal: RawBuilder<boolean> = sql<boolean>`(d.state = 'refused' and not exists (
  select 1 from refused_drop f where f.drop_id = d.drop_id and f.taken_at = d.taken_at and f.closed_at is not null)
  and not exists (select 1 from "drop" o where ${isSameFile}))`;

/** Files that were set aside and are not settled, the latest first. */
export function refusedDrops(ledger: Ledger): RefusedDrop[] {
  return all(ledger, openRefusals().orderBy('d.drop_id', 'desc'));
}

/** Those of this file name, oldest first. */
export function refusedDropsNamed(ledger: Ledger, fileName: string): RefusedDrop[] {
  return all(ledger, openRefusals().where(fileNamed(fileName)).orderBy('d.drop_id'));
}

function openRefusals() {
  return query
    .selectFrom('drop as d')
    .select([
      'd.drop_id as dropId',
      'd.source',
      'd.file_name as file',
      'd.taken_at as takenAt',
      sql<string>`d.refusal`.as('refusal'),
    ])
    .where(isOpenRefusal);
}

/** How a set-aside file was settled; null while it is open, and for a drop that was not set aside. */
export function settlementOf(ledger: Ledger, dropId: number): Settlement | null {
  const found = first(
    ledger,
    query
      .selectFrom('drop as d')
      .innerJoin('refused_drop as f', (join) =>
        join.onRef('f.drop_id', '=', 'd.drop_id').onRef('f.taken_at', '=', 'd.taken_at'),
      )
      .leftJoin('decision as x', 'x.decision_id', 'f.decision_id')
      .select(['f.closed_at as at', 'f.closed_by as drop', 'x.decision_id as decision', 'x.who', 'x.because'])
      .where('d.drop_id', '=', dropId)
      .where('d.state', '=', 'refused')
      .where('f.closed_at', 'is not', null),
  );
  if (found?.at && found.drop !== null) return { kind: 'came-in', drop: found.drop, at: found.at };
  if (found?.at && found.decision !== null) {
    const { decision, because, at } = found;
    return { kind: 'dismissed', decision, who: found.who ?? '', because, at };
  }
  return sameBytesElsewhere(ledger, dropId);
}

/** A file in the wrong inbox has come in once its bytes have, for whichever source. */
function sameBytesElsewhere(ledger: Ledger, dropId: number): Settlement | null {
  const other = first(
    ledger,
    query
      .selectFrom('drop as d')
      .innerJoin('drop as o', (join) => join.on(isSameFile))
      .select(['o.drop_id as drop', sql<string>`o.published_at`.as('at')])
      .where('d.drop_id', '=', dropId)
      .where('d.state', '=', 'refused')
      .orderBy('o.drop_id')
      .limit(1),
  );
  return other === undefined ? null : { kind: 'came-in', ...other };
}

/** A file that a run set aside, and of whose rows nothing is known yet. */
export interface UnknownRefusal {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  /** The sheet, where several sheets of the file are a drop each; else empty. */
  readonly part: string;
  readonly bytes: number;
  readonly takenAt: string;
}

/** The files that a run, and the dead ones it answers for, set aside, and of whose rows nothing is known yet. */
export function refusalsToNote(ledger: Ledger, runId: number): UnknownRefusal[] {
  return all(
    ledger,
    query
      .selectFrom('drop as d')
      .select([
        'd.drop_id as dropId',
        'd.source',
        'd.file_name as file',
        'd.sha256',
        'd.part',
        'd.bytes',
        'd.taken_at as takenAt',
      ])
      .where('d.state', '=', 'refused')
      .where(sql<boolean>`d.run_id in ${runsOf(runId)}`)
      .where(
        sql<boolean>`not exists (select 1 from refused_drop f where f.drop_id = d.drop_id and f.taken_at = d.taken_at)`,
      )
      .orderBy('d.drop_id'),
  );
}

/** What a set-aside file's rows are, without their content. */
export interface RowPrints {
  /** Its first rows that may be titles or a header. */
  readonly leading: number;
  /** 8 bytes a row; null where the file can't be read. */
  readonly prints: Buffer | null;
}

/** Keeps what is known of a set-aside file's rows. */
export function noteRefusal(
  ledger: Ledger,
  { dropId, takenAt }: Pick<UnknownRefusal, 'dropId' | 'takenAt'>,
  { leading, prints }: RowPrints,
): void {
  const noted = { taken_at: takenAt, leading, prints, closed_at: null, closed_by: null, decision_id: null };
  change(
    ledger,
    query
      .insertInto('refused_drop')
      .values({ drop_id: dropId, ...noted })
      .onConflict((conflict) => conflict.column('drop_id').doUpdateSet(noted)),
  );
}

/** An open set-aside file whose rows are known by their hashes. */
export interface NotedRefusal extends RowPrints {
  readonly dropId: number;
  readonly prints: Buffer;
}

/** A published drop that may hold the rows of files that were set aside before it came in. */
export interface LaterDrop {
  readonly dropId: number;
  readonly headerLine: number;
  /** Of its source, not yet settled. */
  readonly refusals: readonly NotedRefusal[];
}

/** The drops that a run published, each with the open set-aside files of its source that it may hold; oldest first. */
export function dropsAfterRefusals(ledger: Ledger, runId: number): LaterDrop[] {
  const pairs = all(
    ledger,
    query
      .selectFrom('drop as p')
      .innerJoin('drop as d', 'd.source', 'p.source')
      .innerJoin('refused_drop as f', (join) =>
        join.onRef('f.drop_id', '=', 'd.drop_id').onRef('f.taken_at', '=', 'd.taken_at'),
      )
      .select([
        'p.drop_id as later',
        sql<number>`coalesce(p.header_line, 0)`.as('headerLine'),
        'd.drop_id as dropId',
      ])
      .select(['f.leading', sql<Buffer>`f.prints`.as('prints')])
      .where('p.state', '=', 'published')
      .where(sql<boolean>`p.run_id in ${runsOf(runId)}`)
      .whereRef('p.published_at', '>=', 'd.taken_at')
      .where('f.prints', 'is not', null)
      .where(sql<boolean>`length(f.prints) > 0`)
      .where(isOpenRefusal)
      .orderBy('p.drop_id')
      .orderBy('d.drop_id'),
  );
  const drops = new Map<number, LaterDrop>();
  for (const { later, headerLine, ...refusal } of pairs) {
    const known = drops.get(later) ?? { dropId: later, headerLine, refusals: [] };
    drops.set(later, { ...known, refusals: [...known.refusals, refusal] });
  }
  return [...drops.values()];
}

/** Records that a set-aside file's rows have come in with another drop. */
export function closeRefusal(ledger: Ledger, dropId: number, by: number): void {
  close(ledger, dropId, { closed_by: by, decision_id: null });
}

/** Records that a decision has dismissed these set-aside files. Call in the transaction that records the decision. */
export function dismissRefusals(ledger: Ledger, dropIds: readonly number[], decisionId: number): void {
  for (const dropId of dropIds) close(ledger, dropId, { closed_by: null, decision_id: decisionId });
}

function close(
  ledger: Ledger,
  dropId: number,
  how: { readonly closed_by: number | null; readonly decision_id: number | null },
): void {
  const closed = { ...how, prints: null, closed_at: isoFromMs(ledger.clock.nowMs()) };
  writing(ledger, () => {
    const drop = first(
      ledger,
      query
        .selectFrom('drop')
        .select('taken_at as takenAt')
        .where('drop_id', '=', dropId)
        .where('state', '=', 'refused'),
    );
    if (drop === undefined) return;
    change(
      ledger,
      query
        .insertInto('refused_drop')
        .values({ drop_id: dropId, taken_at: drop.takenAt, leading: 0, ...closed })
        .onConflict((conflict) =>
          conflict.column('drop_id').doUpdateSet({ taken_at: drop.takenAt, ...closed }),
        ),
    );
  });
}

/** Forgets the rows of set-aside files that have come in themselves since. */
export function forgetSettledPrints(ledger: Ledger): void {
  change(
    ledger,
    query
      .updateTable('refused_drop')
      .set({ prints: null })
      .where('prints', 'is not', null)
      .where(sql<boolean>`drop_id not in (select d.drop_id from "drop" d where ${isOpenRefusal})`),
  );
}
