import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { type BlockingLease, holdsLease, type Lease, releaseLease, withLeases } from '../leases/leases.js';
import type { Owner } from '../leases/owner.js';
import { type Ledger, writing } from '../store/query.js';
import { countWaiting } from '../submissions/waiting.js';
import { takeOver } from './answers.js';
import { endOutages, type OutageCause, outagesOpen, recordOutages } from './outages.js';

export interface NewPush {
  readonly environment: string;
  readonly owner: Owner;
  readonly runId: number;
  /** The rerun whose rows alone are delivered; null: all. */
  readonly chosenBy: number | null;
  /** The policy for requests that an earlier owner left without an answer. */
  readonly policy: AnswerPolicy;
}

export interface BegunPush {
  readonly lease: Lease;
  /** Aborted once the lease has gone to another owner. */
  readonly lost: AbortSignal;
  readonly waiting: number;
  /** The operations that earlier runs couldn't use; null represents the whole environment. */
  readonly unusable: readonly (string | null)[];
  /**
   * Releases the lease if no row is left to deliver, in the transaction that counts the rows, so that no row is
   * missed by both this process and the next. Where no row of the environment waits, its outages end.
   * @returns how many rows are left; 0: the lease is released.
   */
  releaseWhenDrained(): Promise<number>;
}

export interface EndedPush<Result> {
  readonly result: Result;
  /** The outages that the push found, and their start in milliseconds since 1970; null: none. */
  readonly outage: { readonly causes: readonly OutageCause[]; readonly sinceMs: number } | null;
}

/**
 * Runs `work` as the only push to an environment, or returns the process that pushes to it. Before `work`, the open
 * requests of an earlier owner become attempts without an answer. After `work`, the outages that it found are recorded,
 * and the lease is released.
 */
export async function withPush<Result>(
  ledger: Ledger,
  { environment, owner, runId, chosenBy, policy }: NewPush,
  work: (push: BegunPush) => Promise<EndedPush<Result>>,
): Promise<{ readonly done: Result } | BlockingLease> {
  return withLeases(ledger, [`push:${environment}`], owner, runId, async ({ leases: [lease], lost }) => {
    failpoint('push-lease-taken');
    await takeOver(ledger, environment, policy, runId);
    failpoint('attempts-taken-over');
    const waiting = await countWaiting(ledger, environment, { chosenBy });
    const unusable = await outagesOpen(ledger, environment);
    const releaseWhenDrained = () =>
      writing(ledger, async (ledger) => {
        const waiting = await countWaiting(ledger, environment, { chosenBy });
        if (waiting > 0) return waiting;
        // After a rerun, other rows may still wait; their delivery shows whether the environment can be used.
        if (chosenBy === null) await endOutages(ledger, environment, null);
        await releaseLease(ledger, lease);
        return 0;
      });
    const { result, outage } = await work({ lease, lost, waiting, unusable, releaseWhenDrained });
    if (outage !== null) {
      await writing(ledger, async (ledger) => {
        if (!(await holdsLease(ledger, lease))) return;
        await recordOutages(ledger, runId, environment, outage.causes, outage.sinceMs);
      });
    }
    return result;
  });
}
