import { movePages } from '../../ledger/decisions.js';
import { inPages } from '../../ledger/pages.js';
import type { Deed } from './deed.js';

/** Moves the rows that a rerun or a dismissal lists. Two processes may do it at once: each row moves once. */
export const moveListed: Deed<void> = {
  leases: () => [],
  async carryOut({ ledger }, decision, runId) {
    await inPages(ledger, movePages(ledger, decision, runId));
  },
};
