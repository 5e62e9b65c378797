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
  const open = await all(
    ledger,
    query.selectFrom('open_item').select('line').where('drop_id', '=', dropId).where('submission_id', '=', 0),
  );
  return { openLines: new Set(open.map(({ line }) => line)), isCorrection: await isRedrop(ledger, dropId) };
}
