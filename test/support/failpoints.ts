/** Moments between two steps of the flow, in the order in which a run passes them. Each is named for the step just finished. */
export const FAILPOINTS = [
  'run-begun',
  'stage-lease-taken',
  // A drop comes out of its inbox: by a rename, or by a copy where that is on another file system.
  'drop-renamed',
  'copy-written',
  'copy-verified',
  'copy-renamed',
  'original-removed',
  'drop-claimed',
  // Its rows come into the ledger.
  'drop-begun',
  'batch-written',
  'batch-committed',
  'drop-published',
  // The corrected submissions are replaced: a decision is recorded, carried out page by page, and recorded as carried out.
  'page-committed',
  'decision-opened',
  'decision-carried-out',
  'drop-applied',
  'drop-refused',
  'arrival-noted',
  // The drop's file is archived or rejected.
  'drop-placed',
  'claimed-removed',
  'drop-put-away',
  'lease-released',
  // The waiting submissions are delivered.
  'push-lease-taken',
  'attempts-taken-over',
  'token-permit-taken',
  'token-received',
  'permit-taken',
  'attempt-written',
  'request-begun',
  'answer-begun',
  'answer-received',
  'permit-ended',
  'answer-recorded',
  'lease-given-back',
  // The report, and every other small file.
  'file-written',
  'file-renamed',
  'report-written',
  'run-ended',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];
