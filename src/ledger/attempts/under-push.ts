import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { failpoint } from '../../domain/process/failpoint.js';
import {
  type Holder,
  holdsLease,
  isLease,
  type Lease,
  releaseLease,
  takeLease,
  underLease,
} from '../leases/leases.js';
import type { Owner } from '../leases/owner.js';
import { type Ledger, writing } from '../store/query.js';
import { countWaiting } from '../submissions/queue.js';
import { type RecheckPolicy, recheckLearners } from '../submissions/rechecks.js';
import { takeOver } from './answers.js';
import { endOutages, keepOutages, type OutageCause, outagesOpen } from './outages.js';

/** A push that is asked for. */
export interface NewPush {
  readonly environment: string;
  readonly owner: Owner;
  readonly runId: number;
  /** The rerun whose rows alone are delivered; null: all that waits is. */
  readonly chosenBy: number | null;
  /** For requests that an earlier owner has left without an answer. */
  readonly policy: AnswerPolicy;
  /** For learners who are asked about again before it begins; null: none is. */
  readonly recheck: RecheckPolicy | null;
}

/** A push that is under way. */
export interface BegunPush {
  readonly lease: Lease;
  /** Aborted once the lease is another's. */
  readonly lost: AbortSignal;
  /** Rows that it is to deliver. */
  readonly waiting: number;
  /** Names of operations that earlier runs couldn't use; null among them: the environment as a whole. */
  readonly unusable: readonly (string | null)[];
  /**
   * Gives the lease back where nothing is left to deliver, in the transaction that sees it, so that no row is left between two
   * processes. Of all that waits nothing being left, what couldn't be used is over.
   * @returns how many rows are left; with 0 the lease is given back.
   */
  releaseWhenDrained(): Promise<number>;
}

/** How a push has ended. */
export interface EndedPush<Result> {
  readonly result: Result;
  /** What it couldn't use, since a moment in milliseconds since 1970; null: nothing of the kind. */
  readonly outage: { readonly causes: readonly OutageCause[]; readonly sinceMs: number } | null;
}

/**
 * Runs `work` as the one push to an environment, or says who else pushes to it. Before it begins, requests that an earlier
 * owner has left open become attempts without an answer, and learners are asked about again; when it has ended, what it
 * couldn't use is kept, and the lease is free.
 */
export async function underPush<Result>(
  ledger: Ledger,
  { environment, owner, runId, chosenBy, policy, recheck }: NewPush,
  work: (push: BegunPush) => Promise<EndedPush<Result>>,
): Promise<{ readonly done: Result } | { readonly holder: Holder }> {
  const lease = await takeLease(ledger, `push:${environment}`, owner, runId);
  if (!isLease(lease)) return { holder: lease };
  failpoint('push-lease-taken');
  return underLease(ledger, lease, async ({ signal: lost }) => {
    await takeOver(ledger, environment, policy, runId);
    failpoint('attempts-taken-over');
    if (recheck !== null) await recheckLearners(ledger, environment, recheck, runId);
    const waiting = await countWaiting(ledger, environment, { chosenBy });
    const unusable = await outagesOpen(ledger, environment);
    const { result, outage } = await work({
      lease,
      lost,
      waiting,
      unusable,
      releaseWhenDrained: async () => releaseWhenDrained(ledger, lease, environment, chosenBy),
    });
    if (outage !== null) {
      await writing(ledger, async (ledger) => {
        if (!(await holdsLease(ledger, lease))) return;
        await keepOutages(ledger, runId, environment, outage.causes, outage.sinceMs);
      });
    }
    return { done: result };
  });
}

async function releaseWhenDrained(
  ledger: Ledger,
  lease: Lease,
  environment: string,
  chosenBy: number | null,
): Promise<number> {
  return writing(ledger, async (ledger) => {
    const waiting = await countWaiting(ledger, environment, { chosenBy });
    if (waiting > 0) return waiting;
    // Rows that nobody chose may wait still, and say whether it can be used.
    if (chosenBy === null) await endOutages(ledger, environment, null);
    await releaseLease(ledger, lease);
    return 0;
  });
}
