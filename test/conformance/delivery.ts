import { type BegunPush, type NewPush, withPush } from '../../src/ledger/attempts/with-push.js';
import type { Lease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { findDue } from '../../src/ledger/submissions/claims.js';
import { TEST_POLICY } from '../support/staged-ledger.js';
import { type UnderWay, underWay } from './under-way.js';

/** A push to `main` of all waiting rows, unless it says otherwise. */
export function pushOf(runId: number, more: Partial<NewPush> = {}): NewPush {
  return {
    environment: 'main',
    owner: thisProcess(),
    runId,
    chosenBy: null,
    policy: TEST_POLICY,
    ...more,
  };
}

/** A push that goes on until it is ended, or the test is. */
export function pushUnderWay(
  ledger: Ledger,
  runId: number,
  more?: Partial<NewPush>,
): Promise<UnderWay<BegunPush>> {
  return underWay((work) => withPush(ledger, pushOf(runId, more), work), { result: null, outage: null });
}

/** The lease of a push that goes on as long as the test. */
export async function pushLease(ledger: Ledger, runId: number, environment = 'main'): Promise<Lease> {
  return (await pushUnderWay(ledger, runId, { environment })).held.lease;
}

/** Number of the submission that is to be sent next. */
export async function dueNext(ledger: Ledger, runId: number): Promise<number> {
  const due = await findDue(ledger, { environment: 'main', runId });
  if (due.kind !== 'ready') throw new Error(`nothing is ready: ${due.kind}`);
  return due.submissionId;
}
