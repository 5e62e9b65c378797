import { all, type Ledger, query } from '../../store/query.js';
import type { StoredBlock } from '../rows/row-blocks.js';
import { type DamagedSubmission, damagedBlocks, damagedSubmissions } from './mending.js';
import { isRedrop } from './redrops.js';

/** The parts of a drop that are to be read again. Personal. */
export interface RestageFacts {
  /** Lines of its invalid rows that no decision has resolved yet. */
  readonly openLines: ReadonlySet<number>;
  /** Blocks of kept cells, and submissions, that differ in the ledger from what was staged. */
  readonly damagedBlocks: readonly StoredBlock[];
  readonly damagedSubmissions: readonly DamagedSubmission[];
  /** True where its rows correct rows of other drops. */
  readonly isCorrection: boolean;
}

/** Reads which parts of a drop are to be read again: its open invalid rows, and whatever a disk has damaged. */
export async function restageFacts(ledger: Ledger, dropId: number): Promise<RestageFacts> {
  return {
    openLines: new Set(await openInvalidLines(ledger, dropId)),
    damagedBlocks: await damagedBlocks(ledger, dropId),
    damagedSubmissions: damagedSubmissions(ledger, dropId),
    isCorrection: isRedrop(ledger, dropId),
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
        .where('r.disposition', '=', 'invalid')
        .where('z.line', 'is', null),
    )
  ).map(({ line }) => line);
}
