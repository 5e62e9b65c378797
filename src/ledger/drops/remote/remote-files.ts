import { sql } from 'kysely';
import { isoFromMs } from '../../../domain/clock.js';
import { type Ledger, reading } from '../../store/query.js';

/** One version of a file in a remote inbox. */
export interface RemoteVersion {
  /** The server and the folder. */
  readonly place: string;
  readonly name: string;
  /** What tells this version from others of the name. */
  readonly version: string;
}

/** A version that was fetched and whose original was not settled. */
export type FetchedFile = Awaited<ReturnType<typeof fetchedFiles>>[number];

/**
 * Reads the versions of a place that were fetched and whose originals were not settled. `isPublished`: all rows of the file count, so
 * its original may be archived or deleted.
 */
export async function fetchedFiles(ledger: Ledger, source: string, place: string) {
  return reading(ledger, async (ledger) => {
    const files = await ledger.db
      .selectFrom('remote_file as f')
      .leftJoin('drop_file as d', (join) =>
        join.onRef('d.source', '=', 'f.source').onRef('d.sha256', '=', 'f.sha256'),
      )
      .select([
        'f.name',
        'f.version',
        sql<number>`count(d.drop_id)`.as('parts'),
        sql<number>`sum(case when d.state = 'published' then 1 else 0 end)`.as('published'),
        // A file of corrections is no drop.
        sql<number>`(select count(*) from returned_file as r where r.sha256 = f.sha256)`.as('returned'),
      ])
      .where('f.source', '=', source)
      .where('f.place', '=', place)
      .where('f.settled_at', 'is', null)
      .groupBy(['f.name', 'f.version', 'f.sha256'])
      .execute();
    // Each sheet of a workbook may be a drop.
    return files.map(({ name, version, parts, published, returned }) => ({
      name,
      version,
      isPublished: Number(returned) > 0 || (Number(parts) > 0 && Number(parts) === Number(published)),
    }));
  });
}

/** Records that a version was fetched: it is in the source's inbox under its name, whole. */
export async function recordFetched(
  ledger: Ledger,
  source: string,
  file: RemoteVersion,
  sha256: string,
): Promise<void> {
  const fetched = { sha256, fetched_at: isoFromMs(ledger.clock.nowMs()), settled_at: null };
  await ledger.db
    .insertInto('remote_file')
    .values({ source, ...file, ...fetched })
    .onConflict((conflict) => conflict.columns(['source', 'place', 'name', 'version']).doUpdateSet(fetched))
    .execute();
}

/** Records that the original of a version was archived or deleted: if it appears again, it is another file. */
export async function recordSettled(
  ledger: Ledger,
  source: string,
  { place, name, version }: RemoteVersion,
): Promise<void> {
  await ledger.db
    .updateTable('remote_file')
    .set({ settled_at: isoFromMs(ledger.clock.nowMs()) })
    .where('source', '=', source)
    .where('place', '=', place)
    .where('name', '=', name)
    .where('version', '=', version)
    .execute();
}
