import type { DropIdentity } from '../../domain/drop.js';
import type { Ledger } from '../store/query.js';

/** Records which files were in a container. It may be unpacked again: what a source takes of it may have changed. */
export async function recordContained(
  ledger: Ledger,
  source: string,
  container: DropIdentity,
  files: readonly string[],
): Promise<void> {
  const about = { source, container_sha256: container.sha256, container_bytes: container.bytes };
  await ledger.db
    .insertInto('contained_file')
    .values(files.map((sha256) => ({ ...about, sha256 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A container of a source and a drop that was in it, by their SHA-256. */
type ContainedDrop = Awaited<ReturnType<typeof containedDrops>>[number];

/** Reads all containers with their drops, whatever became of these. */
export async function containedDrops(ledger: Ledger) {
  return ledger.db
    .selectFrom('contained_file as c')
    .innerJoin('drop_file as d', (join) =>
      join.onRef('d.source', '=', 'c.source').onRef('d.sha256', '=', 'c.sha256'),
    )
    .select(['c.source', 'c.container_sha256 as container', 'c.sha256'])
    .distinct()
    .execute();
}

/** The containers of a source that held a drop, by their SHA-256. */
export function containersOf(
  drops: readonly ContainedDrop[],
  { source, sha256 }: Pick<ContainedDrop, 'source' | 'sha256'>,
): readonly string[] {
  return drops.flatMap((drop) => (drop.source === source && drop.sha256 === sha256 ? [drop.container] : []));
}
