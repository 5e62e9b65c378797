import { sql } from 'kysely';
import { runsOf } from '../../books/books.js';
import { all, change, type Ledger, query, writing } from '../../store/query.js';
import { keptRows } from '../rows/row-blocks.js';
import { closeRefusal, isOpenRefusal } from './refused-drops.js';
import type { RowPrints } from './row-prints.js';
import { PRINT_BYTES, printer } from './row-prints.js';

/** A file that was set aside, and the drop with which its rows have come in. */
export interface ClosedRefusal {
  readonly dropId: number;
  readonly by: number;
}

/**
 * Closes the set-aside files whose rows have come in after all with the drops of a run, and forgets the rows of all closed files.
 * The rows of a file are remembered by salted hashes from when it was set aside. A later drop of the same source closes the file
 * when it holds every row of the file, cell for cell in order. Only rows at the file's beginning that look like titles or a
 * header may differ: a person may have corrected them. Neither the same name nor most of the rows is enough. Safe to repeat: a
 * run that adopts a dead one finishes the closing.
 * @param grown files whose rows are known to have come in, because the files went on growing where they lay.
 */
export async function closeRefused(
  ledger: Ledger,
  runId: number,
  grown: readonly ClosedRefusal[] = [],
): Promise<void> {
  const closed = [...grown];
  for (const drop of await dropsToCompare(ledger, runId)) closed.push(...(await heldBy(ledger, drop)));
  await closeRefusals(ledger, closed);
}

/** An open set-aside file whose rows are known by their hashes. */
interface NotedRefusal extends RowPrints {
  readonly dropId: number;
  readonly prints: Buffer;
}

/** A published drop that may hold the rows of files that were set aside before it came in. */
interface LaterDrop {
  readonly dropId: number;
  readonly headerLine: number;
  /** The open set-aside files of its source. */
  readonly refusals: readonly NotedRefusal[];
}

/** The drops that a run published, each with the open set-aside files of its source that it may hold; oldest first. */
async function dropsToCompare(ledger: Ledger, runId: number): Promise<LaterDrop[]> {
  const pairs = await all(
    ledger,
    query
      .selectFrom('drop_file as p')
      .innerJoin('drop_file as d', 'd.source', 'p.source')
      .innerJoin('refused_drop as f', (join) =>
        join.onRef('f.drop_id', '=', 'd.drop_id').onRef('f.taken_at', '=', 'd.taken_at'),
      )
      .select([
        'p.drop_id as later',
        sql<number>`coalesce(p.header_line, 0)`.as('headerLine'),
        'd.drop_id as dropId',
      ])
      .select(['f.leading_rows as leading', sql<Buffer>`f.prints`.as('prints')])
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

/** The files whose rows the drop has. The drop's rows are read once, whatever the number of files. */
async function heldBy(ledger: Ledger, drop: LaterDrop): Promise<readonly ClosedRefusal[]> {
  const print = printer(ledger.salt);
  const missing = drop.refusals.map((refusal) => ({ refusal, prints: new Set(printsIn(refusal)) }));
  let headers = 0;
  for await (const { line, cells } of keptRows(ledger, drop.dropId)) {
    if (line <= drop.headerLine) headers += 1;
    const found = print(cells);
    for (const { prints } of missing) prints.delete(found);
  }
  return missing
    .filter(({ refusal, prints }) => isCovered(refusal, prints, headers))
    .map(({ refusal }) => ({ dropId: refusal.dropId, by: drop.dropId }));
}

/** @param headers rows up to the later drop's header: no more rows can have been corrected into it. */
function isCovered(refusal: NotedRefusal, missing: ReadonlySet<string>, headers: number): boolean {
  const prints = printsIn(refusal);
  const free = Math.min(refusal.leading, headers);
  return prints.length > free && prints.every((print, index) => index < free || !missing.has(print));
}

function printsIn({ prints }: NotedRefusal): string[] {
  return Array.from({ length: prints.length / PRINT_BYTES }, (_, index) =>
    prints.toString('hex', index * PRINT_BYTES, (index + 1) * PRINT_BYTES),
  );
}

async function closeRefusals(ledger: Ledger, closed: readonly ClosedRefusal[]): Promise<void> {
  await writing(ledger, async (ledger) => {
    for (const { dropId, by } of closed)
      await closeRefusal(ledger, dropId, { closed_by: by, decision_id: null });
    // Some of the files have come in themselves since.
    await change(
      ledger,
      query
        .updateTable('refused_drop')
        .set({ prints: null })
        .where('prints', 'is not', null)
        .where(sql<boolean>`drop_id not in (select d.drop_id from drop_file d where ${isOpenRefusal})`),
    );
  });
}
