import { type Insertable, sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { change, type Ledger, preparedQuery, query, writing } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { type DropFacts, dropCounts, findDrop } from './drops.js';
import type { PublishedRows } from './publish-drop.js';

/** The state of an arrived file, by its bytes. */
export type Arrival =
  /** The bytes are not imported yet. `begunUnder`: the settings of an interrupted staging; null: there was none. */
  | { readonly kind: 'new'; readonly begunUnder: string | null }
  /** The bytes were imported earlier. */
  | { readonly kind: 'repeated'; readonly dropId: number }
  /** An interrupted run has published the file, and may not have completed the steps after that. */
  | ({ readonly kind: 'resumed' } & PublishedRows);

/** Finds the state of an arrived file by its bytes, and records a repeated arrival. */
export async function recordArrival(ledger: Ledger, drop: DropFacts): Promise<Arrival> {
  const existing = await findDrop(ledger, drop);
  if (existing?.state !== 'published') {
    return { kind: 'new', begunUnder: existing?.state === 'staging' ? existing.settings : null };
  }
  const { dropId } = existing;
  const isRecorded = await writing(ledger, async (ledger) => recordDropArrival(ledger, dropId, drop));
  if (isRecorded) return { kind: 'repeated', dropId };
  return { kind: 'resumed', dropId, dispositions: (await dropCounts(ledger, dropId)).dispositions };
}

/**
 * Records the arrival of a file with a drop's bytes. Call it in the transaction that identifies them.
 * @returns false: the run that left the file in processing/ has already recorded this arrival.
 */
export async function recordDropArrival(
  ledger: Ledger,
  dropId: number,
  file: Pick<DropFacts, 'fileName' | 'runId' | 'isResumed'>,
): Promise<boolean> {
  if (file.isResumed && (await isNoted(ledger, dropId, file.fileName))) return false;
  const arrived_at = isoFromMs(ledger.clock.nowMs());
  await change(
    ledger,
    ARRIVED({ drop_id: dropId, run_id: file.runId, file_name: file.fileName, arrived_at }),
  );
  return true;
}

const ARRIVED = preparedQuery((arrival: Insertable<Tables['arrival']>) =>
  query.insertInto('arrival').values(arrival),
);

/** True where the drop's latest arrival has this name and belongs to a run that died or ended with an error. */
async function isNoted(ledger: Ledger, dropId: number, fileName: string): Promise<boolean> {
  const latest = await ledger.db
    .selectFrom('arrival')
    .innerJoin('run', 'run.run_id', 'arrival.run_id')
    .select(['arrival.file_name as fileName', 'run.ending'])
    .where('arrival.drop_id', '=', dropId)
    .orderBy('arrival.arrival_id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return (
    latest?.fileName === fileName && (latest.ending === null || ['died', 'error'].includes(latest.ending))
  );
}
