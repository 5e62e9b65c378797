import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropIdentity } from '../../domain/drop.js';
import { type Ledger, query, reading } from '../store/query.js';

/** A file as the ledger took it in. */
export interface ArrivedFile {
  readonly dropId: number;
  /** What it may be: the drop's own bytes, or a container that held them. */
  readonly identities: readonly DropIdentity[];
  /** When its bytes came in last. */
  readonly arrivedAt: string;
}

/** How long a run looks at a file after its arrival: a sender that still writes into it has had it open all that time. */
const WATCHED_MS = 7 * 86_400_000;

/**
 * The files that count and came in so recently that a run looks at them again, because their senders may still write into them;
 * by the number of their drop, and each sheet of a workbook may be a drop.
 */
export function arrivedFiles(ledger: Ledger): Promise<ReadonlyMap<number, ArrivedFile>> {
  return reading(ledger, async (ledger) => {
    const since = isoFromMs(ledger.clock.nowMs() - WATCHED_MS);
    // Runs are numbered in the order they begin.
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
      const known = byDrop.get(dropId)?.identities ?? [{ sha256, bytes }];
      const held = container === null ? [] : [{ sha256: container, bytes: Number(containerBytes) }];
      byDrop.set(dropId, { dropId, arrivedAt, identities: [...known, ...held] });
    }
    return byDrop;
  });
}

/** Records that a run found the file of a drop to differ from what was taken in. */
export async function noteChanged(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  await ledger.db
    .insertInto('changed_file')
    .values({ drop_id: dropId, run_id: runId, noticed_at: isoFromMs(ledger.clock.nowMs()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const SINCE_MS = 31 * 24 * 3_600_000;
const MAX_TIMES = 1_000;

/**
 * ISO times at which files of a source came in during the last month, refused ones and ones known already too: the latest thousand,
 * the latest first. Where none did, the time of the latest one; [] where none ever came.
 */
export async function arrivalTimes(ledger: Ledger, source: string): Promise<string[]> {
  const latest = await ledger.db
    .selectFrom(
      query
        .selectFrom('drop_file as d')
        .select('d.taken_at as at')
        .where('d.source', '=', source)
        .union(
          query
            .selectFrom('arrival as a')
            .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
            .select('a.arrived_at as at')
            .where('d.source', '=', source),
        )
        .as('came'),
    )
    .select('at')
    .orderBy('at', 'desc')
    .limit(sql.lit(MAX_TIMES))
    .execute();
  const since = isoFromMs(ledger.clock.nowMs() - SINCE_MS);
  return latest.map(({ at }) => at).filter((at, index) => index === 0 || at >= since);
}
