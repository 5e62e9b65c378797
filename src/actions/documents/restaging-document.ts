import type { RestagedDrop, Restaging } from '../restage/restage.js';

/** A restaging that is planned, as `restage --dry-run --json` prints it. */
export function restagingDocument({ drop, damagedBlocks, outlook }: Restaging) {
  return {
    drop: drop.dropId,
    file: drop.file,
    dryRun: true,
    decision: null,
    damagedBlocks,
    open: outlook?.open ?? null,
    made: outlook?.made ?? null,
    repeated: outlook?.repeated ?? null,
    skipped: outlook?.skipped ?? null,
    still: outlook?.still ?? null,
    mended: outlook?.mended ?? null,
    beyond: outlook?.beyond ?? null,
    issues: outlook?.issues ?? [],
    records: outlook?.records ?? [],
  };
}

/** A restaging that was carried out, as `restage --json` prints it. */
export function restagedDocument({ drop, damagedBlocks }: Restaging, { decisionId, ...done }: RestagedDrop) {
  return {
    drop: drop.dropId,
    file: drop.file,
    dryRun: false,
    decision: decisionId,
    damagedBlocks,
    ...done,
    records: [],
  };
}
