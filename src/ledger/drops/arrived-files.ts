import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropIdentity } from '../../domain/drop.js';
import type { Ledger } from '../store/query.js';

export interface ArrivedFile {
  readonly dropId: number;
  /** What the file in archive/ may be: the drop itself, or a container with the drop. */
  readonly identities: readonly DropIdentity[];
  /** When its bytes arrived last. */
  readonly arrivedAt: string;
}

/** How long runs check a file after its arrival: a sender that writes to it later must have had it open all that time. */
const WATCHED_MS = 7 * 86_400_000;

/**
 * The recently imported files, by drop number; each sheet of a workbook may be a drop. A run checks them for changes,
 * because their senders may still write to them.
 */
export async function arrivedFiles(ledger: Ledger): Promise<ReadonlyMap<number, ArrivedFile>> {
  const since = isoFromMs(ledger.clock.nowMs() - WATCHED_MS);
  // Runs are numbered in the order in which they begin.
  const before = sql<number>`(select coalesce(max(run_id), 0) from run where started_at < ${since})`;
  const files = await ledger.db
    .selectFrom('arrival as a')
    .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
    .leftJoin('contained_file as c', (join) =>
      join.onRef('c.source', '=', 'd.source').onRef('c.sha256', '=', 'd.sha256'),
    )
    .select([
      'd.drop_id as dropId',
      'd.sha256',
      'd.bytes',
      'c.container_sha256 as container',
      'c.container_bytes as containerBytes',
      sql<string>`max(a.arrived_at)`.as('arrivedAt'),
    ])
    .where('d.state', '=', sql.lit('published'))
    .where('a.run_id', '>', before)
    .groupBy(['d.drop_id', 'c.container_sha256', 'c.container_bytes'])
    .execute();
  const byDrop = new Map<number, ArrivedFile>();
  for (const { dropId, arrivedAt, sha256, bytes, container, containerBytes } of files) {
    const identities = byDrop.get(dropId)?.identities ?? [{ sha256, bytes }];
    const held = container === null ? [] : [{ sha256: container, bytes: Number(containerBytes) }];
    byDrop.set(dropId, { dropId, arrivedAt, identities: [...identities, ...held] });
  }
  return byDrop;
}

/** Records that a run found a drop's file changed since its import. */
export async function recordChange(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  await ledger.db
    .insertInto('changed_file')
    .values({ drop_id: dropId, run_id: runId, noticed_at: isoFromMs(ledger.clock.nowMs()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const SINCE_MS = 31 * 24 * 3_600_000;
const MAX_TIMES = 1_000;

/**
 * ISO times at which files of a source arrived during the last month, including refused and repeated ones: the latest
 * thousand, the latest first. Where none did, the time of the latest one; [] where none ever arrived.
 */
export async function arrivalTimes(ledger: Ledger, source: string): Promise<string[]> {
  const latest = await ledger.db
    .selectFrom('arrival as a')
    .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
    .select('a.arrived_at as at')
    .where('d.source', '=', source)
    .orderBy('at', 'desc')
    .limit(sql.lit(MAX_TIMES))
    .execute();
  const since = isoFromMs(ledger.clock.nowMs() - SINCE_MS);
  return latest.map(({ at }) => at).filter((at, index) => index === 0 || at >= since);
}
