import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { transitionBy } from '../../domain/delivery/intent.js';
import { claimed, headOf, verdictIn, verdictTransition } from '../../domain/delivery/slot.js';
import { remainingWait, type WaitStart } from '../../domain/delivery/wait.js';
import { keyMaker } from '../../operations/keys.js';
import { operationNamed } from '../../operations/registry.js';
import { isStaged } from '../drops/drops.js';
import { holdsLease, type Lease } from '../leases/leases.js';
import { all, inEnvironment, type Ledger, writing, writingIn } from '../store/query.js';
import { applyIntents } from './apply-intents.js';
import { holdStoppedDrops } from './canary.js';
import { type RecheckPolicy, recheckLearners } from './rechecks.js';
import { fieldsIn, isSound, keptRecord } from './record/kept-record.js';
import { slotAt, slotText } from './slots.js';
import { isChosen, selectWaiting, type Waiting, waitingById, waitingInOrder } from './waiting.js';

export type Due =
  | ({ readonly kind: 'ready' } & DueSubmission)
  /**
   * No waiting submission can be sent before `atMs` (null: unknown). `stopped`: of those that wait only until the
   * platform works, the one with the fewest requests; null: a submission waits for another reason.
   */
  | {
      readonly kind: 'later';
      readonly atMs: number | null;
      readonly stopped: (DueSubmission & { readonly resends: number }) | null;
    }
  | { readonly kind: 'nothing' };

export interface DueQuery {
  readonly environment: string;
  readonly runId: number;
  readonly omitted?: readonly string[];
  /** A rerun: considers only its rows, and the rows that go before them in their slots. null or absent: all rows. */
  readonly chosenBy?: number | null;
  /** True: the platform is known to work, so that submissions that waited only for that are due. */
  readonly isKnownToWork?: boolean;
  /** The policy for rechecking learners first; null or absent: none are rechecked. */
  readonly recheck?: RecheckPolicy | null;
}

export interface DueSubmission {
  readonly submissionId: number;
  readonly operation: string;
  /** 1: it belongs to a rerun. */
  readonly priority: number;
}

/** Submissions to send in one request, in the order of the request, with their attempt. */
export type Claim = NonNullable<Awaited<ReturnType<typeof claim>>>;

/** How many slots, and how many of their rows, one search considers before it yields to other work. */
const MAX_SLOTS = 1_000;
const MAX_ROWS = 20_000;

/**
 * Finds the next submission that may be sent; holds and replaces others first. Waiting submissions are considered in
 * order, but for each slot its head is judged, wherever it is: a file sorted newest first is delivered oldest first.
 */
export async function findDue(
  ledger: Ledger,
  { environment, runId, omitted = [], chosenBy = null, isKnownToWork = false, recheck = null }: DueQuery,
): Promise<Due> {
  if (recheck !== null) await recheckLearners(ledger, environment, recheck, runId);
  await holdStoppedDrops(ledger, environment, runId);
  const nowMs = ledger.clock.nowMs();
  const visited = new Set<string>();
  let rows = 0;
  let atMs: number | null = null;
  let stopped: (DueSubmission & { resends: number }) | null = null;
  let areAllStopped = true;
  for await (const candidate of waitingInOrder(ledger, environment, omitted, chosenBy)) {
    rows += 1;
    if (visited.size >= MAX_SLOTS || rows > MAX_ROWS) break;
    const slot = slotText(candidate);
    if (visited.has(slot)) continue;
    visited.add(slot);
    const { head, isBlocked } = await headOfSlot(ledger, candidate, runId);
    if (head === null) continue;
    const due = { submissionId: head.id, operation: head.operation, priority: candidate.priority };
    const latest = head.nextAttemptAt === null ? null : await latestTransition(ledger, head.id);
    const wait = remainingWait(head.nextAttemptAt, latest, { nowMs, isKnownToWork });
    if (wait !== null) {
      atMs = Math.min(atMs ?? wait.untilMs, wait.untilMs);
      areAllStopped &&= wait.isStopped;
      if (head.resends < (stopped?.resends ?? Number.POSITIVE_INFINITY) && !isBlocked)
        stopped = { ...due, resends: head.resends };
      continue;
    }
    if (isBlocked) continue;
    return { kind: 'ready', ...due };
  }
  // A submission that was considered and isn't ready is blocked, not due, or was just held or replaced.
  if (visited.size === 0) return { kind: 'nothing' };
  return { kind: 'later', atMs, stopped: areAllStopped ? stopped : null };
}

/** The submission of the candidate's slot that goes first, after holding and replacing others. */
async function headOfSlot(ledger: Ledger, candidate: Waiting, runId: number) {
  const head = headOf(await slotAt(ledger, candidate));
  if (head.transitions.length === 0) return head;
  return writing(ledger, async (ledger) => {
    const now = headOf(await slotAt(ledger, candidate));
    await applyIntents(ledger, now.transitions, { runId });
    return now;
  });
}

/**
 * Claims a submission under the lease and writes its attempt, in one transaction that checks all guards again.
 * @param chosenBy a rerun: only its rows may share the request. null: any row may.
 * @returns null: it can no longer be sent, or another owner has the lease.
 */
export async function claim(
  ledger: Ledger,
  lease: Lease,
  submissionId: number,
  runId: number,
  chosenBy: number | null = null,
) {
  return writingIn(ledger, lease.name, async (ledger) => {
    if (!(await holdsLease(ledger, lease))) return null;
    const candidate = await waitingById(ledger, submissionId);
    if (!candidate) return null;
    const chosen = await readyNow(ledger, candidate, runId);
    if (chosen === null) return null;
    const { environment, operation } = candidate;
    const submissions = [chosen, ...(await sharingWith(ledger, chosen, chosenBy, runId))] as const;
    const started_at = isoFromMs(ledger.clock.nowMs());
    const { attemptId } = await ledger.db
      .insertInto('attempt')
      .values({ run_id: runId, environment, operation, lease_fence: lease.fence.number, started_at })
      .returning('attempt_id as attemptId')
      .executeTakeFirstOrThrow();
    await ledger.db.insertInto('attempt_open').values({ attempt_id: attemptId, environment }).execute();
    for (const { submissionId, waiting, slot } of submissions) {
      await ledger.db
        .insertInto('attempt_submission')
        .values({ attempt_id: attemptId, submission_id: submissionId })
        .execute();
      await applyIntents(ledger, claimed(slot, waiting), { runId, attemptId });
    }
    return {
      attemptId,
      operation,
      /** True: what the record creates already exists, and is updated instead. */
      revives: candidate.nextDelivery === 'revive',
      submissions,
    };
  });
}

type Ready = NonNullable<Awaited<ReturnType<typeof readyNow>>>;

/** Checks all guards; null: the submission can't be sent. Holds a submission whose record is damaged. */
async function readyNow(ledger: Ledger, waiting: Waiting, runId: number) {
  const stored = await keptRecord(ledger, waiting.id);
  if (!stored) return null;
  // Erasing a record also dismisses its waiting submission.
  const fields = isSound(keyMaker(ledger.salt), stored) ? fieldsIn(stored.record) : null;
  if (fields === null) {
    await applyIntents(ledger, [transitionBy(waiting, 'guarded', { cause: 'damaged' })], { runId });
    return null;
  }
  const slot = await slotAt(ledger, waiting);
  return verdictIn(slot, waiting).kind === 'go'
    ? { submissionId: waiting.id, record: { fields }, waiting, slot }
    : null;
}

/** The others that may be sent in the same request now, in delivery order. */
async function sharingWith(ledger: Ledger, { waiting }: Ready, chosenBy: number | null, runId: number) {
  const { environment, operation, nextDelivery } = waiting;
  const { maxPerRequest } = operationNamed(operation);
  if (maxPerRequest === undefined || nextDelivery === 'alone') return [];
  const now = isoFromMs(ledger.clock.nowMs());
  const others = await all(
    ledger,
    selectWaiting()
      .where('content', '=', waiting.content)
      .where(inEnvironment(environment))
      .where('operation', '=', operation)
      .where('submission_id', '<>', waiting.id)
      .where(isStaged('drop_id'))
      .where(isChosen(chosenBy))
      .where(({ or, eb }) => or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now)]))
      .orderBy('priority', 'desc')
      .orderBy('submission_id'),
  );
  const together: Ready[] = [];
  for (const other of others) {
    if (together.length + 1 >= maxPerRequest) break;
    if (other.nextDelivery === 'alone') continue;
    const ready = await readyNow(ledger, other, runId);
    if (ready) together.push(ready);
  }
  return together;
}

async function latestTransition(ledger: Ledger, submissionId: number): Promise<WaitStart | null> {
  const latest = await ledger.db
    .selectFrom('transition')
    .select(['event', 'at'])
    .where('submission_id', '=', submissionId)
    .orderBy('transition_id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return latest ?? null;
}

/** Checks the guards for a new submission, so that a held one isn't shown as waiting. Call it in a transaction. */
export async function guardNow(ledger: Ledger, submissionId: number, runId: number | null): Promise<void> {
  const candidate = await waitingById(ledger, submissionId);
  if (!candidate) return;
  const slot = await slotAt(ledger, candidate);
  await applyIntents(ledger, [verdictTransition(candidate, verdictIn(slot, candidate))], { runId });
}
