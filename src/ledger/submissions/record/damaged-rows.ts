import type { RowRef } from '../../../domain/row-ref.js';
import { first, type Ledger, query } from '../../store/query.js';
import { isSound, type StoredSubmission } from './checksum.js';
import { STORED_SUBMISSION } from './stored-submission.js';

/** A row that became a submission whose kept record differs from what was written. */
export interface DamagedRow extends RowRef {
  readonly file: string;
}

/** Checks all records, one after the other; a second for a million. */
export async function* damagedRows(ledger: Ledger): AsyncGenerator<DamagedRow> {
  const submissions = ledger.sqlite
    .prepare(`${STORED_SUBMISSION} where s.record is not null`)
    .iterate() as IterableIterator<StoredSubmission>;
  for (const submission of submissions) {
    if (isSound(submission)) continue;
    const { dropId, line } = submission;
    const drop = query.selectFrom('drop_file').select('file_name as file').where('drop_id', '=', dropId);
    yield { dropId, line, file: (await first(ledger, drop))?.file ?? '' };
  }
}
