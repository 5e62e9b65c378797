import { sql } from 'kysely';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import { type Guarded, guard } from '../domain/guard.js';
import type { NormalisedRecord } from '../domain/record.js';
import { stagingDrop } from './drops.js';
import { isOnHold } from './learner-holds.js';
import { holdsLease, type Lease } from './leases.js';
import { all, bytes, change, first, type Ledger, learnerBytes, query, writing } from './query.js';
import { move } from './transitions.js';

/** What there is to send for an environment. */
export type Due =
  | {
      readonly kind: 'ready';
      readonly submissionId: number;
      /** Name of its operation. */
      readonly operation: string;
      /** 1 where a person asked for it. */
      readonly priority: number;
    }
  /** All that waits is behind something under way, or not due yet; `atMs` is the next wall-clock time, if any. */
  | { readonly kind: 'later'; readonly atMs: number | null }
  | { readonly kind: 'nothing' };

/** A submission about to be sent, with the attempt that was written for it. */
export interface Claim {
  readonly submissionId: number;
  readonly attemptId: number;
  readonly operation: string;
  readonly record: NormalisedRecord;
  readonly tries: number;
  readonly resends: number;
}

interface Waiting extends Guarded {
  readonly learner: string | null;
  readonly slot: string;
  readonly nextAttemptAt: string | null;
  readonly operation: string;
  readonly priority: number;
  readonly drop: number;
}

/** How many waiting submissions one look considers before it gives the ledger back. */
const LOOK = 1000;

/**
 * Finds the next submission that may be sent, moving aside what a guard holds or what was superseded. Rows of a
 * drop that is still being staged are not looked at.
 * @param longestBackOffMs a `next_attempt_at` further off than this comes from a clock that was set back since,
 *   and counts as due.
 */
export function findDue(ledger: Ledger, environment: string, runId: number, longestBackOffMs: number): Due {
  const nowMs = ledger.clock.nowMs();
  let isLater = false;
  let atMs: number | null = null;
  for (const candidate of waitingInOrder(ledger, environment)) {
    const dueMs = candidate.nextAttemptAt === null ? 0 : msFromIso(candidate.nextAttemptAt);
    if (dueMs > nowMs && dueMs <= nowMs + longestBackOffMs) {
      isLater = true;
      atMs = Math.min(atMs ?? dueMs, dueMs);
      continue;
    }
    const verdict = guard(
      candidate,
      slotMates(ledger, candidate),
      isOnHold(ledger, environment, candidate.learner),
    );
    if (verdict.kind === 'go') {
      const { id: submissionId, operation, priority } = candidate;
      return { kind: 'ready', submissionId, operation, priority };
    }
    if (verdict.kind === 'blocked') {
      isLater = true;
      continue;
    }
    writing(ledger, () => {
      const current = waitingById(ledger, candidate.id);
      if (!current) return;
      if (verdict.kind === 'hold') {
        move(ledger, current, 'guarded', { heldReason: verdict.reason, reason: verdict.reason, runId });
      } else {
        move(ledger, current, 'replaced', {
          successorId: verdict.successor,
          reason: 'newer revision',
          runId,
        });
      }
    });
  }
  return isLater ? { kind: 'later', atMs } : { kind: 'nothing' };
}

/**
 * Claims a submission under the lease and writes its attempt, in one transaction that asks all guards again.
 * @returns null when it can't be sent any more, or the lease has gone to another owner.
 */
export function claim(ledger: Ledger, lease: Lease, submissionId: number, runId: number): Claim | null {
  return writing(ledger, () => {
    if (!holdsLease(ledger, lease)) return null;
    const candidate = waitingById(ledger, submissionId);
    if (!candidate) return null;
    const chosen = first(
      ledger,
      query
        .selectFrom('submission')
        .select(['operation', 'environment', 'record', 'tries', 'resends'])
        .where('submission_id', '=', submissionId),
    );
    if (!chosen || chosen.record === null) return null;
    const mates = slotMates(ledger, candidate);
    const verdict = guard(candidate, mates, isOnHold(ledger, chosen.environment, candidate.learner));
    if (verdict.kind !== 'go') return null;

    replaceEarlierRevisions(ledger, candidate, mates, runId);
    const attempt = change(
      ledger,
      query.insertInto('attempt').values({
        run_id: runId,
        environment: chosen.environment,
        operation: chosen.operation,
        lease_token: lease.token,
        started_at: isoFromMs(ledger.clock.nowMs()),
      }),
    );
    change(
      ledger,
      query.insertInto('attempt_submission').values({ attempt_id: attempt.id, submission_id: submissionId }),
    );
    move(ledger, candidate, 'claimed', { runId, attemptId: attempt.id });
    return {
      submissionId,
      attemptId: attempt.id,
      operation: chosen.operation,
      record: { fields: JSON.parse(chosen.record) as NormalisedRecord['fields'] },
      tries: chosen.tries,
      resends: chosen.resends,
    };
  });
}

/** How many submissions wait in an environment, those of an unpublished drop left out. */
export function countWaiting(ledger: Ledger, environment: string): number {
  const counted = first(
    ledger,
    query
      .selectFrom('submission')
      .select(sql<number>`count(*)`.as('count'))
      .where('environment', '=', environment)
      .where('state', '=', 'waiting')
      .where('drop_id', '<>', stagingDrop(ledger) ?? 0),
  );
  return counted?.count ?? 0;
}

/**
 * What waits, in the order it goes: asked for by a person first, then as staged. The drop being staged is one range
 * of the index and is stepped over, however many rows it has.
 */
function* waitingInOrder(ledger: Ledger, environment: string): Generator<Waiting> {
  const staging = stagingDrop(ledger);
  const ranges: [number, number][] =
    staging === null
      ? [[0, Number.MAX_SAFE_INTEGER]]
      : [
          [0, staging - 1],
          [staging + 1, Number.MAX_SAFE_INTEGER],
        ];
  let looked = 0;
  for (const priority of [1, 0]) {
    for (const [from, to] of ranges) {
      let after = { drop: from, id: 0 };
      for (;;) {
        const page = all(
          ledger,
          selectWaiting()
            .where('environment', '=', environment)
            .where('priority', '=', priority)
            .where(sql<boolean>`(drop_id, submission_id) > (${after.drop}, ${after.id})`)
            .where('drop_id', '<=', to)
            .orderBy('drop_id')
            .orderBy('submission_id')
            .limit(20),
        );
        yield* page;
        looked += page.length;
        const last = page.at(-1);
        if (!last || looked >= LOOK) break;
        after = { drop: last.drop, id: last.id };
      }
    }
  }
}

/** Columns of a waiting submission; hashes as hex. */
function selectWaiting() {
  return query
    .selectFrom('submission')
    .select([
      'submission_id as id',
      'drop_id as drop',
      'revision',
      'occurred_at as occurredAt',
      'state',
      'pass',
      'operation',
      'priority',
      'next_attempt_at as nextAttemptAt',
      sql<string>`lower(hex(key))`.as('key'),
      sql<string>`lower(hex(slot))`.as('slot'),
      sql<string | null>`lower(nullif(hex(learner), ''))`.as('learner'),
    ])
    .where('state', '=', 'waiting');
}

function waitingById(ledger: Ledger, submissionId: number): Waiting | undefined {
  return first(ledger, selectWaiting().where('submission_id', '=', submissionId));
}

function slotMates(ledger: Ledger, candidate: Waiting): Guarded[] {
  return all(
    ledger,
    query
      .selectFrom('submission')
      .select([
        'submission_id as id',
        'revision',
        'occurred_at as occurredAt',
        'state',
        'pass',
        sql<string>`lower(hex(key))`.as('key'),
      ])
      .where('learner', '=', learnerBytes(candidate.learner))
      .where('slot', '=', bytes(candidate.slot))
      .where('submission_id', '<>', candidate.id)
      .where('drop_id', '<>', stagingDrop(ledger) ?? 0),
  );
}

/** Earlier revisions that were never accepted make room for the one that goes now. */
function replaceEarlierRevisions(
  ledger: Ledger,
  candidate: Waiting,
  mates: readonly Guarded[],
  runId: number,
): void {
  for (const mate of mates) {
    if (mate.key !== candidate.key || mate.revision > candidate.revision) continue;
    if (mate.state === 'accepted' || mate.state === 'replaced' || mate.state === 'sending') continue;
    move(ledger, mate, 'replaced', { successorId: candidate.id, reason: 'newer revision', runId });
  }
}
