import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { all, change, first, type Ledger, query, reading } from '../store/query.js';

/** A file as the ledger took it in. */
export interface ArrivedFile {
  readonly dropId: number;
  readonly sha256: string;
  readonly bytes: number;
  /** When its bytes came in last. */
  readonly arrivedAt: string;
  /** True where the file came in so recently that a run looks at it again. */
  readonly isWatched: boolean;
}

/** A file that was set aside as a whole, as it was then. */
export interface SetAsideFile extends ArrivedFile {
  readonly source: string;
  readonly name: string;
}

/** Files that came in. */
export interface ArrivedFiles {
  /** The files that count, by the number of their drop; each sheet of a workbook may be a drop. */
  readonly taken: ReadonlyMap<number, ArrivedFile>;
  readonly setAside: readonly SetAsideFile[];
}

/** How long a run looks at a file after its arrival: a sender that still writes into it has had it open all that time. */
const WATCHED_MS = 7 * 86_400_000;

/**
 * Reads the files that came in, as they were then.
 * @param which 'watched': only files that a run looks at again, because their senders may still write into them.
 */
export function arrivedFiles(ledger: Ledger, which: 'watched' | 'all'): Promise<ArrivedFiles> {
  return reading(ledger, async (ledger) => {
    const since = await lastRunBefore(ledger, isoFromMs(ledger.clock.nowMs() - WATCHED_MS));
    const after = which === 'all' ? 0 : since;
    const taken = await all(
      ledger,
      query
        .selectFrom('arrival as a')
        .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
        .select([
          'd.drop_id as dropId',
          'd.sha256',
          'd.bytes',
          sql<string>`max(a.arrived_at)`.as('arrivedAt'),
          sql<number>`max(a.run_id)`.as('runId'),
        ])
        .where('d.state', '=', 'published')
        .where('a.run_id', '>', after)
        .groupBy('d.drop_id'),
    );
    const setAside = await all(
      ledger,
      query
        .selectFrom('drop_file as d')
        .select([
          'd.drop_id as dropId',
          'd.source',
          'd.sha256',
          'd.bytes',
          'd.file_name as name',
          'd.taken_at as arrivedAt',
          'd.run_id as runId',
        ])
        .where('d.state', '=', 'refused')
        .where('d.run_id', '>', after),
    );
    const watched = <File extends { readonly runId: number }>({ runId, ...file }: File) => ({
      ...file,
      isWatched: runId > since,
    });
    return {
      taken: new Map(taken.map((file) => [file.dropId, watched(file)])),
      setAside: setAside.map(watched),
    };
  });
}

/** 0 where there is none. Runs are numbered in the order they begin. */
async function lastRunBefore(ledger: Ledger, at: string): Promise<number> {
  const last = await first(
    ledger,
    query
      .selectFrom('run')
      .select('run_id as runId')
      .where('started_at', '<', at)
      .orderBy('run_id', 'desc')
      .limit(1),
  );
  return last?.runId ?? 0;
}

/** Records that a run found the file of a drop to differ from what was taken in. */
export async function noteChanged(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  await change(
    ledger,
    query
      .insertInto('changed_file')
      .values({ drop_id: dropId, run_id: runId, noticed_at: isoFromMs(ledger.clock.nowMs()) })
      .onConflict((conflict) => conflict.doNothing()),
  );
}
