import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { all, change, first, type Ledger, query } from './query.js';

/** A file as the ledger took it in. */
interface ArrivedFile {
  readonly dropId: number;
  readonly sha256: string;
  readonly bytes: number;
  /** When its bytes came in last. */
  readonly arrivedAt: string;
}

/** A run looks at files that came in so lately: whoever still writes into one has had it open all the time. */
const WATCHED_MS = 7 * 86_400_000;

/** The files that a run looks at again. */
export function watchedFiles(ledger: Ledger): ReadonlyMap<number, ArrivedFile> {
  return filesArrivedSince(ledger, isoFromMs(ledger.clock.nowMs() - WATCHED_MS));
}

/** Files of a source that were set aside as a whole so lately, by what they were. */
export function watchedRefusals(
  ledger: Ledger,
  source: string,
): readonly (ArrivedFile & { readonly name: string })[] {
  const since = isoFromMs(ledger.clock.nowMs() - WATCHED_MS);
  return all(
    ledger,
    query
      .selectFrom('drop as d')
      .select([
        'd.drop_id as dropId',
        'd.sha256',
        'd.bytes',
        'd.file_name as name',
        'd.taken_at as arrivedAt',
      ])
      .where('d.state', '=', 'refused')
      .where('d.source', '=', source)
      .where('d.run_id', '>', lastRunBefore(ledger, since)),
  );
}

/** The files that came in by runs begun at this time or later, and count; null: all there are. Of a workbook each sheet. */
export function filesArrivedSince(ledger: Ledger, since: string | null): ReadonlyMap<number, ArrivedFile> {
  const found = all(
    ledger,
    query
      .selectFrom('arrival as a')
      .innerJoin('drop as d', 'd.drop_id', 'a.drop_id')
      .select(['d.drop_id as dropId', 'd.sha256', 'd.bytes', sql<string>`max(a.arrived_at)`.as('arrivedAt')])
      .where('d.state', '=', 'published')
      .where('a.run_id', '>', since === null ? 0 : lastRunBefore(ledger, since))
      .groupBy('d.drop_id'),
  );
  return new Map(found.map((file) => [file.dropId, file]));
}

/** 0 where there is none. Runs are numbered in the order they begin. */
function lastRunBefore(ledger: Ledger, at: string): number {
  const last = first(
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

/** Notes that a run found the file of a drop to hold something else than what was taken in. */
export function noteChangedFile(ledger: Ledger, dropId: number, runId: number): void {
  change(
    ledger,
    query
      .insertInto('changed_file')
      .values({ drop_id: dropId, run_id: runId, noticed_at: isoFromMs(ledger.clock.nowMs()) })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** The bytes of a drop as they were taken in. */
export function bytesOfDrop(
  ledger: Ledger,
  dropId: number,
): { readonly sha256: string; readonly bytes: number } {
  const found = first(
    ledger,
    query.selectFrom('drop').select(['sha256', 'bytes']).where('drop_id', '=', dropId),
  );
  if (!found) throw new Error(`there is no drop ${dropId}`);
  return found;
}
