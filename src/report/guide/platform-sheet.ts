import { type AttentionRow, attentionRows } from '../../ledger/books/rows/attention-rows.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { operationNamed } from '../../operations/registry.js';
import { fieldsOf, fieldText } from '../shown-row.js';
import { causeEntry, fieldWords, whoActs } from '../words/causes.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import { workbookWords } from './workbook-words.js';

/** The sheet of rows that must be looked up on the platform before they can be corrected. */
export function platformSheet(
  ledger: Ledger,
  name: string,
  drops: readonly ListedDrop[],
  selection: ReportSelection,
): Sheet {
  return {
    name,
    columns: workbookWords().platform,
    rows: rowsOf(ledger, drops, selection),
    whenFull: 'The sheet is full: the rest is in the CSV files.',
    frozenColumns: 1,
  };
}

async function* rowsOf(
  ledger: Ledger,
  drops: readonly ListedDrop[],
  selection: ReportSelection,
): AsyncGenerator<readonly SheetValue[]> {
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      if (whoActs(row) !== 'platform') continue;
      const fields = fieldsOf({ ...drop, record: row.record, cells: row.cells });
      const { happened, question } = causeEntry(row);
      yield [
        difference(drop, row) ?? happened,
        question,
        fieldText(fields, 'learner'),
        fieldText(fields, 'identifier'),
        fieldText(fields, 'timestamp'),
        fieldText(fields, 'score'),
        drop.file,
        row.line,
        `#${row.submissionId}`,
      ];
    }
  }
}

/** How the later file differs from what was accepted; null where that is not known. */
function difference({ operation }: ListedDrop, { accepted: before, record }: AttentionRow): string | null {
  if (before === null || record === null) return null;
  const changes = operationNamed(operation)
    .fields.filter(({ name, sent }) => sent && before[name] !== record[name])
    .map(
      ({ name }) =>
        `${fieldWords(name)} ${before[name] ?? 'empty'}, and a later file has ${record[name] ?? 'nothing'}`,
    );
  return changes.length === 0
    ? null
    : `The platform has this completion with ${changes.join('; and with ')}.`;
}
