import { appendFileSync } from 'node:fs';

/**
 * Moments of the flow at which one thing has been done and the next has not, in the order in which a run passes them.
 * Each is named for what has just happened.
 */
export const FAILPOINTS = [
  'run-begun',
  'stage-lease-taken',
  // A drop comes out of its inbox: by a rename, or by a copy where that lies on another file system.
  'drop-renamed',
  'copy-written',
  'copy-verified',
  'copy-renamed',
  'original-removed',
  'control-claimed',
  'drop-claimed',
  // Its rows come into the ledger.
  'drop-begun',
  'batch-written',
  'batch-committed',
  'drop-published',
  // What it corrects makes room: a decision, recorded, carried out page by page, and then recorded as carried out.
  'page-committed',
  'decision-opened',
  'decision-carried-out',
  'drop-applied',
  'drop-refused',
  'arrival-noted',
  // Its file is put away, with its control file before or after it.
  'control-put-away',
  'drop-placed',
  'claimed-removed',
  'control-left',
  'drop-put-away',
  'lease-released',
  // What waits is delivered.
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

/** Moments of a restore: the ledger that was there has its second name, and then is marked as set aside. */
type RestoreFailpoint = 'ledger-linked' | 'ledger-set-aside';

/** A correction that was given by hand is kept, and nothing is decided yet. */
type CorrectionFailpoint = 'correction-kept';

/** What the tests ask of this process, read once: a test hook must cost nothing where nobody asks. */
const { REGISTRAR_FAILPOINT: armed, REGISTRAR_FAILPOINT_TRACE: tracePath } = process.env;

const [armedName, armedHit = '1', armedHow] = armed?.split(':') ?? [];

let hits = 0;

/**
 * For tests of what a crash leaves behind. `REGISTRAR_FAILPOINT=<name>:<n>` kills this process as `kill -9` does when it
 * comes to that moment for the n-th time, `<name>:<n>:stop` stops it there until somebody sends SIGCONT;
 * `REGISTRAR_FAILPOINT_TRACE=<file>` writes down each moment it comes to, one a line. Otherwise it does nothing.
 */
export function failpoint(name: Failpoint | RestoreFailpoint | CorrectionFailpoint): void {
  if (tracePath !== undefined) appendFileSync(tracePath, `${name}\n`);
  if (name !== armedName) return;
  hits += 1;
  if (hits === Number(armedHit)) process.kill(process.pid, armedHow === 'stop' ? 'SIGSTOP' : 'SIGKILL');
}
