import type { SameKeyRule } from '../../../domain/delivery/same-key.js';
import { beginDrop, type StagingPlan } from '../../drops/begin-drop.js';
import type { DropFacts } from '../../drops/drops.js';
import { type ExpectedRows, publishDrop } from '../../drops/publish-drop.js';
import { holdsLease, type Lease } from '../../leases/leases.js';
import { type Ledger, writing } from '../../store/query.js';
import type { StagedRow, StagingTarget } from './read-rows.js';
import { isContradictory } from './same-key.js';
import { stageWithin } from './staging.js';

/** A drop below a batch, and the rules of its source. */
interface SmallDrop extends Omit<StagingTarget, 'dropId'> {
  readonly drop: DropFacts;
  readonly plan: StagingPlan;
  readonly sameKey: SameKeyRule;
  readonly expected?: ExpectedRows | undefined;
}

/**
 * Begins a new drop, stages its rows and publishes it, in one transaction. It stays half staged, for the caller to continue,
 * where the file contradicts itself or has another number of rows than expected.
 * @param read all rows of the drop, and the reader's counts, as for `publishDrop`.
 * @returns `interrupted`: another owner has the stage lease, and nothing was written.
 */
export function stageSmallDrop(
  ledger: Ledger,
  lease: Lease,
  { drop, plan, sameKey, expected, ...described }: SmallDrop,
  read: { readonly rows: readonly StagedRow[]; readonly rowsRead: number; readonly hiddenRows: number },
) {
  return writing(ledger, async (ledger) => {
    if (!(await holdsLease(ledger, lease))) return { kind: 'interrupted' } as const;
    const { dropId } = await beginDrop(ledger, drop, plan, 'first-row');
    await stageWithin(ledger, { ...described, dropId }, read.rows);
    const { rowsRead, hiddenRows } = read;
    const staged = { kind: 'staged', dropId, rowsRead, hiddenRows } as const;
    if (await isContradictory(ledger, dropId, described.operation, sameKey)) return staged;
    const published = await publishDrop(ledger, lease, dropId, read, expected);
    return published.kind === 'published' ? published : staged;
  });
}
