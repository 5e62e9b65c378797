import { appendFileSync } from 'node:fs';

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

/** Moments beside the flow: of a restore, of a job's slot, of a copied ledger, of a fetch, of a container and of a result. */
type OtherFailpoint =
  | 'ledger-linked'
  | 'ledger-moved'
  | 'slot-begun'
  | 'slot-ended'
  | 'table-copied'
  | 'remote-downloaded'
  | 'remote-placed'
  | 'remote-recorded'
  | 'remote-settled'
  | 'container-unpacked'
  | 'result-file-put'
  | 'result-put';

/** The failpoint that a test has set for this process, read once: a test hook must cost nothing where it isn't used. */
const { REGISTRAR_FAILPOINT: armed, REGISTRAR_FAILPOINT_TRACE: tracePath } = process.env;

const [armedName, armedHit = '1', armedHow] = armed?.split(':') ?? [];

let hits = 0;

/**
 * For tests of what a crash leaves behind. `REGISTRAR_FAILPOINT=<name>:<n>` kills this process as `kill -9` does when it reaches
 * that moment for the n-th time; `<name>:<n>:stop` stops it there until it gets SIGCONT; `REGISTRAR_FAILPOINT_TRACE=<file>`
 * writes each moment that it reaches to the file, one a line. Otherwise the function does nothing.
 */
export function failpoint(name: Failpoint | OtherFailpoint): void {
  if (tracePath !== undefined) appendFileSync(tracePath, `${name}\n`);
  if (name !== armedName) return;
  hits += 1;
  if (hits === Number(armedHit)) process.kill(process.pid, armedHow === 'stop' ? 'SIGSTOP' : 'SIGKILL');
}
