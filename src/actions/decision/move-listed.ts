import { moveListedRows } from '../../ledger/decisions/move-listed-rows.js';
import type { DecisionHandler } from './handler.js';

/** Moves the rows that a rerun or a dismissal lists. Two processes may do so at once: each row is moved once. */
export const moveListed: DecisionHandler<void> = {
  leases: () => [],
  async carryOut({ ledger }, decision, runId) {
    for await (const _ of moveListedRows(ledger, decision, runId));
  },
};
