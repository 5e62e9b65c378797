import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { type Ledger, query } from '../store/query.js';

const SINCE_MS = 31 * 24 * 3_600_000;
const MAX_TIMES = 1_000;

/**
 * ISO times at which files of a source came in during the last month, refused ones and ones known already too: the latest thousand,
 * the latest first. Where none did, the time of the latest one; [] where none ever came.
 */
export async function arrivalTimes(ledger: Ledger, source: string): Promise<string[]> {
  const lately = await arrivalsSince(ledger, source, isoFromMs(ledger.clock.nowMs() - SINCE_MS));
  return lately.length > 0 ? lately : (await arrivalsSince(ledger, source, '')).slice(0, 1);
}

async function arrivalsSince(ledger: Ledger, source: string, since: string): Promise<string[]> {
  const found = await ledger.db
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
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(sql.lit(MAX_TIMES))
    .execute();
  return found.map(({ at }) => at);
}
