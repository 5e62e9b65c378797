import type { Backup } from '../actions/upkeep/backup.js';
import { countOf } from '../domain/text/count-of.js';

export const UNBALANCED_COPY =
  "The books of the ledger don't balance, nor do the copy's: see registrar report.";

export const GUARD_COPY = 'It holds personal data and the salt of all keys: guard it like the ledger.';

/** How much a copy of the ledger holds, as members of its document. */
export function totalsDocument(totals: Backup['totals']) {
  const { drops, rows, submissions, accepted, attempts, newestRunAt, newestAttemptAt } = totals;
  return { drops, rows, submissions, accepted, attempts, newestRunAt, newestAttemptAt };
}

export function totalsText({ rows, drops, submissions, attempts }: Backup['totals']): string {
  return `${countOf(rows, 'row')} of ${countOf(drops, 'file')}, ${countOf(submissions, 'submission')} and ${countOf(attempts, 'request')}`;
}
