import type { RowBlock } from '../../drops/rows/pack-rows.js';
import { first, type Ledger, query } from '../../store/query.js';
import { blockSum, isSound, type StoredSubmission } from './checksum.js';
import { STORED_SUBMISSION } from './stored-submission.js';

/** A row, or some rows, whose kept data differs from what was written. */
export interface DamagedRows {
  readonly dropId: number;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** `record`: the submission that a row became. `cells`: all rows between the two lines. */
  readonly what: 'record' | 'cells';
}

/** Checks all records and kept cells of published drops, one after the other; 2 s for a million rows. */
export async function* damagedRows(ledger: Ledger): AsyncGenerator<DamagedRows> {
  const fileOf = async (dropId: number) =>
    (
      await first(
        ledger,
        query.selectFrom('drop_file').select('file_name as file').where('drop_id', '=', dropId),
      )
    )?.file ?? '';
  const submissions = ledger.sqlite
    .prepare(`${STORED_SUBMISSION} where s.record is not null`)
    .iterate() as IterableIterator<StoredSubmission>;
  for (const submission of submissions) {
    if (isSound(submission)) continue;
    const { dropId, line } = submission;
    yield { dropId, file: await fileOf(dropId), firstLine: line, lastLine: line, what: 'record' };
  }
  const blocks = ledger.sqlite.prepare(BLOCKS).iterate() as IterableIterator<RowBlock & StoredBlock>;
  for (const block of blocks) {
    const { dropId, firstLine, lastLine } = block;
    if (blockSum(dropId, block) === block.sum) continue;
    yield { dropId, file: await fileOf(dropId), firstLine, lastLine, what: 'cells' };
  }
}

interface StoredBlock {
  readonly dropId: number;
  readonly sum: number;
}

const BLOCKS = `select drop_id as dropId, first_line as firstLine, last_line as lastLine, rows, cells, sum from row_block
  where cells is not null`;
