import type { Holder } from '../../documents/report.js';
import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { holdsLease, isLease, type Lease, releaseLease, takeLease, withLease } from '../leases/leases.js';
import type { Owner } from '../leases/owner.js';
import { type Ledger, writing } from '../store/query.js';
import { type RecheckPolicy, recheckLearners } from '../submissions/rechecks.js';
import { countWaiting } from '../submissions/waiting.js';
import { takeOver } from './answers.js';
import { endOutages, keepOutages, type OutageCause, outagesOpen } from './outages.js';

export interface NewPush {
  readonly environment: string;
  readonly owner: Owner;
  readonly runId: number;
  /** The rerun whose rows alone are delivered; null: all waiting rows are. */
  readonly chosenBy: number | null;
  /** The policy for requests that an earlier owner has left without an answer. */
  readonly policy: AnswerPolicy;
  /** The policy for rechecking learners before the push begins; null: none is rechecked. */
  readonly recheck: RecheckPolicy | null;
}

/** A push that is under way. */
export interface BegunPush {
  readonly lease: Lease;
  /** Aborted once the lease has gone to another owner. */
  readonly lost: AbortSignal;
  /** The number of rows to deliver. */
  readonly waiting: number;
  /** Names of operations that earlier runs couldn't use; a null among them: the whole environment. */
  readonly unusable: readonly (string | null)[];
  /**
   * Releases the lease where no row is left to deliver, in the transaction that counts the rows, so that no row falls between two
   * processes. Where no row at all waits any more, the environment's outages end.
   * @returns how many rows are left; with 0 the lease is released.
   */
  releaseWhenDrained(): Promise<number>;
}

export interface EndedPush<Result> {
  readonly result: Result;
  /** The outages that the push found, since a moment in milliseconds since 1970; null: none. */
  readonly outage: { readonly causes: readonly OutageCause[]; readonly sinceMs: number } | null;
}

/**
 * Runs `work` as the one push to an environment, or says who else pushes to it. Before `work` begins, requests that an earlier
 * owner has left open become attempts without an answer, and due learners are rechecked. When `work` has ended, the outages that
 * it found are kept, and the lease is released.
 */
export async function withPush<Result>(
  ledger: Ledger,
  { environment, owner, runId, chosenBy, policy, recheck }: NewPush,
  work: (push: BegunPush) => Promise<EndedPush<Result>>,
): Promise<{ readonly done: Result } | { readonly holder: Holder }> {
  const lease = await takeLease(ledger, `push:${environment}`, owner, runId);
  if (!isLease(lease)) return { holder: lease };
  failpoint('push-lease-taken');
  return withLease(ledger, lease, async ({ signal: lost }) => {
    await takeOver(ledger, environment, policy, runId);
    failpoint('attempts-taken-over');
    if (recheck !== null) await recheckLearners(ledger, environment, recheck, runId);
    const waiting = await countWaiting(ledger, environment, { chosenBy });
    const unusable = await outagesOpen(ledger, environment);
    const releaseWhenDrained = () =>
      writing(ledger, async (ledger) => {
        const left = await countWaiting(ledger, environment, { chosenBy });
        if (left > 0) return left;
        // After a rerun other rows may still wait, and will show whether the environment can be used.
        if (chosenBy === null) await endOutages(ledger, environment, null);
        await releaseLease(ledger, lease);
        return 0;
      });
    const { result, outage } = await work({ lease, lost, waiting, unusable, releaseWhenDrained });
    if (outage !== null) {
      await writing(ledger, async (ledger) => {
        if (!(await holdsLease(ledger, lease))) return;
        await keepOutages(ledger, runId, environment, outage.causes, outage.sinceMs);
      });
    }
    return { done: result };
  });
}
