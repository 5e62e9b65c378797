import type { DropIdentity } from '../../domain/drop.js';
import type { Ledger } from '../store/query.js';

/**
 * Records the files of a container. May be called again for a container: its source's settings may take other files
 * of it.
 */
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

/** A container and a drop from it, by SHA-256. */
type ContainedDrop = Awaited<ReturnType<typeof containedDrops>>[number];

/** Reads all containers with their drops, in any state. */
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

/** The SHA-256 of the source's containers with the drop. */
export function containersOf(
  drops: readonly ContainedDrop[],
  { source, sha256 }: Pick<ContainedDrop, 'source' | 'sha256'>,
): readonly string[] {
  return drops.flatMap((drop) => (drop.source === source && drop.sha256 === sha256 ? [drop.container] : []));
}
