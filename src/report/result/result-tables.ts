import { attentionRows } from '../../ledger/books/rows/attention-rows.js';
import { acceptedRows, type ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import { fieldsOf, fieldText } from '../shown-row.js';
import { plainRow } from '../words/causes.js';
import { csvTable } from '../write-drop-csv.js';

/** The columns of the accepted rows of a result; docs/sources.md explains them. */
const ACCEPTED_COLUMNS = [
  ...['file', 'line', 'learner', 'content', 'completed_at'],
  ...['accepted_at', 'platform_id'],
] as const;

const REFUSED_COLUMNS = [
  ...['file', 'line', 'learner', 'content'],
  ...['cause', 'remedy', 'platform_says'],
] as const;

/** The records of a drop that the platform accepted, as CSV text piece by piece. Personal. */
export function acceptedTable(ledger: Ledger, drop: ListedDrop): AsyncGenerator<string> {
  return csvTable(ACCEPTED_COLUMNS, rows());

  async function* rows() {
    for await (const { line, record, cells, acceptedAt, platformId } of acceptedRows(ledger, drop.drop)) {
      const fields = fieldsOf({ ...drop, record, cells });
      const [learner, content] = [fieldText(fields, 'learner'), fieldText(fields, 'identifier')];
      yield [drop.file, line, learner, content, fieldText(fields, 'timestamp'), acceptedAt, platformId];
    }
  }
}

/** The rows of a drop that need attention, for a sender who has never seen Registrar. Personal. */
export function refusedTable(ledger: Ledger, drop: ListedDrop): AsyncGenerator<string> {
  return csvTable(REFUSED_COLUMNS, rows());

  async function* rows() {
    for await (const row of await attentionRows(ledger, drop.drop)) {
      const fields = fieldsOf({ ...drop, record: row.record, cells: row.cells });
      const [learner, content] = [fieldText(fields, 'learner'), fieldText(fields, 'identifier')];
      const { wrong, remedy } = plainRow(row, drop.header);
      const says = row.submissionId === null ? null : row.detail;
      yield [drop.file, row.line, learner, content, wrong, remedy, says];
    }
  }
}
