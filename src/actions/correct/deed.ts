import { inPages } from '../../ledger/pages.js';
import { closeOriginals } from '../../ledger/redrops.js';
import type { Deed } from '../decision/deed.js';

/** How the rows that a corrected attention file stands for make room for what its rows became, once it is published. */
export const correctDeed: Deed<void> = {
  leases: () => ['stage'],
  async carryOut({ ledger }, { decisionId, selection }, runId) {
    await inPages(ledger, closeOriginals(ledger, Number(selection.drop), decisionId, runId));
  },
};
