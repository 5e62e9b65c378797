import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { isLease, releaseLease, takeLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { applyDrop } from '../../src/ledger/submissions/staging/apply-drop.js';
import { stageBatch } from '../../src/ledger/submissions/staging/staging.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { preparedCompletion, READ_AS_CSV } from '../support/prepared-completion.js';
import { withCells } from '../support/with-cells.js';
import type { DropPlan } from './plan-world.js';
import type { SimulatedProcess } from './simulated-process.js';
import { fileNameOf } from './world.js';

/** Rows that are staged in one transaction; few, so that a process also dies between two. */
const BATCH = 4;

/** Between publishing a large drop and applying all of it others have time to send of it. */
const APPLY_MS = 500;

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
  const lease = await takeLease(ledger, 'stage', process.owner, runId);
  if (!isLease(lease)) return false;
  try {
    const sha256 = number.toString(16).padStart(64, '0');
    const drop = {
      source: 'academy',
      identity: { sha256, bytes: 1 },
      fileName: fileNameOf(number),
      operation: submitCompletion.name,
      environment,
      runId,
      isResumed: true,
    };
    if ((await recordArrival(ledger, drop)).kind !== 'new') return true;
    const { dropId, stagedLine } = await beginDrop(ledger, drop, READ_AS_CSV);
    const rows = completions
      .map((completion, index) => preparedCompletion(ledger, completion, index + 2, environment))
      .filter(({ line }) => line > stagedLine);
    for (let from = 0; from < rows.length; from += BATCH) {
      await process.clock.sleep(20);
      const batch = rows.slice(from, from + BATCH);
      const target = { dropId, operation: submitCompletion, environment, sendAmendments };
      if (
        (await stageBatch(
          ledger,
          lease,
          target,
          withCells(batch, ({ text }) => [text]),
        )) === null
      )
        return false;
    }
    await process.clock.sleep(20);
    const published = await publishDrop(ledger, lease, dropId, { rowsRead: completions.length });
    if (published.kind !== 'published') return false;
    for await (const _ of applyDrop(ledger, dropId, runId)) await process.clock.sleep(APPLY_MS);
    return true;
  } finally {
    await releaseLease(ledger, lease);
  }
}
