import type { Ledger } from '../../src/ledger/query.js';
import { type RowFilter, type SelectedSubmission, selectedPages } from '../../src/ledger/selection.js';

/** All submissions that fit, at once: a test has few. */
export function select(ledger: Ledger, filter: RowFilter): readonly SelectedSubmission[] {
  const found = [...selectedPages(ledger, filter)].flat();
  return found.filter((row) => row.submissionId !== null);
}
