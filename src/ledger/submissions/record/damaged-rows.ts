import { each, type Ledger } from '../../store/query.js';
import { asKept, keptRecords, ledgerKeys } from './kept-record.js';
import { isSound } from './soundness.js';

/** The rows whose records differ from the ones that were staged; checks all, one after the other. */
export async function* damagedRows(ledger: Ledger) {
  const keys = ledgerKeys(ledger);
  const records = keptRecords
    .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.drop_id as dropId', 'd.file_name as file', 's.line'])
    .where('s.record', 'is not', null);
  for await (const { dropId, file, line, ...record } of each(ledger, records)) {
    if (!isSound(keys, asKept(record))) yield { dropId, file: file ?? '', line };
  }
}
