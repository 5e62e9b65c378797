import type { Ledger } from '../store/query.js';

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
