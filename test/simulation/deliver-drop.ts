import { beginDrop, findDrop, publishDrop, resumeDrop } from '../../src/ledger/drops.js';
import { isLease, releaseLease, takeLease } from '../../src/ledger/leases.js';
import { packRows } from '../../src/ledger/pack-rows.js';
import type { Ledger } from '../../src/ledger/query.js';
import { settleDrop, stagePrepared } from '../../src/ledger/staging.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { preparedCompletion, READ_AS_CSV } from '../support/prepared-completion.js';
import type { DropPlan } from './plan-world.js';
import type { SimulatedProcess } from './simulated-process.js';

/** Rows that are staged in one transaction; few, so that a process also dies between two. */
const BATCH = 4;

/** Between publishing a large drop and settling all of it others have time to send of it. */
const SETTLE_MS = 500;

/**
 * Stages a drop as `staging/` does, with time passing between its transactions; one that was left half staged is gone
 * on with. @returns false when it isn't published afterwards.
 */
export async function deliverDrop(
  process: SimulatedProcess,
  ledger: Ledger,
  runId: number,
  number: number,
  { environment, completions, sendAmendments }: DropPlan,
): Promise<boolean> {
  const lease = takeLease(ledger, 'stage', process.owner, runId);
  if (!isLease(lease)) return false;
  try {
    const sha256 = number.toString(16).padStart(64, '0');
    const known = findDrop(ledger, { source: 'academy', identity: { sha256, bytes: 1 } });
    if (known?.state === 'published') return true;
    if (known) resumeDrop(ledger, known.dropId, runId);
    const dropId =
      known?.dropId ??
      beginDrop(
        ledger,
        {
          source: 'academy',
          identity: { sha256, bytes: 1 },
          fileName: `drop-${number}.csv`,
          operation: submitCompletion.name,
          environment,
          runId,
          isLeft: false,
        },
        READ_AS_CSV,
      );
    const rows = completions
      .map((completion, index) => preparedCompletion(ledger, completion, index + 2, environment))
      .filter(({ line }) => line > (known?.stagedLine ?? 0));
    for (let from = 0; from < rows.length; from += BATCH) {
      await process.clock.sleep(20);
      const batch = rows.slice(from, from + BATCH);
      const block = packRows(
        batch.map(({ line, record }) => ({ line, cells: [record] })),
        () => true,
      );
      const target = { dropId, operation: submitCompletion, environment, sendAmendments };
      if (stagePrepared(ledger, lease, target, { rows: batch, blocks: [block] }) === null) return false;
    }
    await process.clock.sleep(20);
    if (!publishDrop(ledger, lease, dropId, { rowsRead: completions.length })) return false;
    for (const _ of settleDrop(ledger, dropId, runId)) await process.clock.sleep(SETTLE_MS);
    return true;
  } finally {
    releaseLease(ledger, lease);
  }
}
