import { compactLedger, emptyLog, overwritingDeleted } from '../../ledger/compact.js';
import { keptBlocksOf } from '../../ledger/erase-cells.js';
import { isAnotherPushing } from '../../ledger/leases.js';
import {
  added,
  type Cleared,
  dropsPublishedBefore,
  NOTHING_CLEARED,
  purgeBlocks,
  purgeCalls,
  purgeRefusals,
} from '../../ledger/purging.js';
import { carryPages } from '../decision/carry-pages.js';
import type { Deed } from '../decision/deed.js';
import { archivedOf, deleteFiles } from './archived-files.js';

/** What clearing old content came to. */
export interface PurgedContent {
  readonly cleared: Cleared;
  /** Reasons of files that were set aside. */
  readonly refusals: number;
  /** Files that were deleted. */
  readonly deleted: readonly string[];
  /** False while somebody delivers: what was cleared is overwritten, but the file keeps its length until the next purge. */
  readonly compacted: boolean;
}

/** What is cleared in one transaction, some thousand rows: it ends well within a second. */
export const BLOCKS_AT_ONCE = 10;

/** How old content is cleared. Rows may be delivered meanwhile, which closes some: they are left to the next purge. */
export const purgeDeed: Deed<PurgedContent> = {
  leases: () => ['stage'],
  async carryOut({ ledger, paths }, { selection }, _runId, lost) {
    const before = String(selection.before);
    return overwritingDeleted(ledger, async () => {
      const drops = dropsPublishedBefore(ledger, before);
      let cleared = NOTHING_CLEARED;
      let refusals = 0;
      const clear = function* () {
        for (const { dropId } of drops) {
          for (const page of keptBlocksOf(ledger, dropId, BLOCKS_AT_ONCE)) {
            cleared = added(cleared, purgeBlocks(ledger, page));
            yield;
          }
        }
        cleared = added(cleared, { ...NOTHING_CLEARED, answers: purgeCalls(ledger, before) });
        yield;
        refusals = purgeRefusals(ledger, before);
        yield;
      };
      await carryPages(ledger, clear(), lost);
      const deleted = selection.archive === true ? await archivedOf(drops, paths) : [];
      await deleteFiles(deleted);
      // A push would have to wait for the whole of it, and give up.
      const compacted = !isAnotherPushing(ledger);
      if (compacted) compactLedger(ledger);
      emptyLog(ledger);
      return { cleared, refusals, deleted, compacted };
    });
  },
};
