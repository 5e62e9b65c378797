import { sql } from 'kysely';
import { all, type Ledger, query } from '../../store/query.js';
import { isRedrop } from './redrop-rows.js';

/** The rows of a drop that are to be read again. */
export interface RestageFacts {
  /** Lines of its invalid rows that no decision has resolved yet. */
  readonly openLines: ReadonlySet<number>;
  /** True where its rows correct rows of other drops. */
  readonly isCorrection: boolean;
}

/** Reads which rows of a drop are to be read again: its open invalid rows. */
export async function restageFacts(ledger: Ledger, dropId: number): Promise<RestageFacts> {
  return {
    openLines: new Set(await openInvalidLines(ledger, dropId)),
    isCorrection: await isRedrop(ledger, dropId),
  };
}

async function openInvalidLines(ledger: Ledger, dropId: number): Promise<number[]> {
  return (
    await all(
      ledger,
      query
        .selectFrom('row as r')
        .leftJoin('resolution as z', (join) =>
          join.onRef('z.drop_id', '=', 'r.drop_id').onRef('z.line', '=', 'r.line'),
        )
        .select('r.line')
        .where('r.drop_id', '=', dropId)
        .where('r.disposition', '=', sql.lit('invalid'))
        .where('z.line', 'is', null),
    )
  ).map(({ line }) => line);
}
