import { collected } from '../../src/domain/process/series.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { RowFilter } from '../../src/ledger/submissions/select/selection.js';
import { type SelectedRow, selectedPages } from '../../src/ledger/submissions/select/selection.js';

/** A matching submission. */
export type SelectedSubmission = SelectedRow & { readonly submissionId: number };

/** All matching submissions at once: a test has few. */
export async function select(ledger: Ledger, filter: RowFilter): Promise<readonly SelectedSubmission[]> {
  const found = (await collected(selectedPages(ledger, filter))).flat();
  return found.filter((row): row is SelectedSubmission => row.submissionId !== null);
}
