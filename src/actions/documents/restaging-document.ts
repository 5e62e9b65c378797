import type { RestagedDrop, Restaging } from '../restage/restage.js';

/** A restaging that is planned, as `restage --dry-run --json` prints it. */
export function restagingDocument({ drop, outlook }: Restaging) {
  return { drop: drop.dropId, file: drop.file, dryRun: true, decision: null, ...outlook };
}

/** A restaging that was carried out, as `restage --json` prints it. */
export function restagedDocument({ drop }: Restaging, { decisionId, ...done }: RestagedDrop) {
  return { drop: drop.dropId, file: drop.file, dryRun: false, decision: decisionId, ...done, records: [] };
}
