import { sql } from 'kysely';
import type { NextDelivery } from '../domain/cause.js';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import { type Guarded, goesFirst, guard, type Verdict } from '../domain/guard.js';
import { OperatorError } from '../domain/operator-error.js';
import type { NormalisedRecord } from '../domain/record.js';
import { operationNamed } from '../operations/registry.js';
import { isSound, isSubmissionSound, storedSubmission } from './checksum.js';
import { stagingDrop } from './drops.js';
import { LEARNER_DIGITS, SLOT_DIGITS } from './keys.js';
import { isOnHold } from './learner-holds.js';
import { holdsLease, type Lease } from './leases.js';
import { all, beginsLike, bytes, change, first, type Ledger, query, writing } from './query.js';
import { move } from './transitions.js';

/** What there is to send for an environment. */
export type Due =
  | ({ readonly kind: 'ready' } & DueSubmission)
  /**
   * All that waits is behind something under way, or not due yet; `atMs` is the next wall-clock time, if any. `stopped`: of
   * what waits for the platform's sake alone the one that was sent least; null where anything waits for its own.
   */
  | {
      readonly kind: 'later';
      readonly atMs: number | null;
      readonly stopped: (DueSubmission & { readonly resends: number }) | null;
    }
  | { readonly kind: 'nothing' };

/** A submission that may be claimed. */
export interface DueSubmission {
  readonly submissionId: number;
  /** Name of its operation. */
  readonly operation: string;
  /** 1 where a person asked for it. */
  readonly priority: number;
}

/** Submissions about to be sent in one request, with the attempt that was written for them. */
export interface Claim {
  readonly attemptId: number;
  /** Name of their operation. */
  readonly operation: string;
  /** What it was to create exists already, and is to be made what its record says. */
  readonly revives: boolean;
  /** In the order of the request. */
  readonly submissions: readonly [ClaimedSubmission, ...ClaimedSubmission[]];
}

export interface ClaimedSubmission {
  readonly submissionId: number;
  readonly record: NormalisedRecord;
}

interface Waiting extends Guarded {
  readonly line: number;
  readonly learner: string | null;
  readonly slot: string;
  readonly nextAttemptAt: string | null;
  readonly nextDelivery: NextDelivery | null;
  readonly operation: string;
  readonly priority: number;
  readonly drop: number;
}

/** How many slots, and how many rows of them, one look considers before it gives the ledger back. */
const LOOK_SLOTS = 1_000;
const LOOK_ROWS = 20_000;

/**
 * Finds the next submission that may be sent, moving aside what a guard holds or what was superseded. What waits is
 * looked at in order, and for each slot its head is judged, wherever in the order that stands: a file sorted newest
 * first is delivered oldest first all the same. Rows of a drop that is still being staged are not looked at.
 * @param longestBackOffMs a `next_attempt_at` further off than this comes from a clock that was set back since,
 *   and counts as due.
 * @param leftOut names of operations that can't be delivered now.
 * @param chosenBy a rerun: only what it chose is looked for, and what goes first in the slots of that. null: all.
 * @param isKnownToWork the platform is known to work: then what was stopped for its sake waits no longer.
 */
export function findDue(
  ledger: Ledger,
  environment: string,
  runId: number,
  longestBackOffMs: number,
  leftOut: readonly string[] = [],
  chosenBy: number | null = null,
  isKnownToWork = false,
): Due {
  const nowMs = ledger.clock.nowMs();
  const looked = new Set<string>();
  let rows = 0;
  let atMs: number | null = null;
  let stopped: (DueSubmission & { resends: number }) | null = null;
  let areAllStopped = true;
  for (const candidate of waitingInOrder(ledger, environment, leftOut, chosenBy)) {
    rows += 1;
    if (looked.size >= LOOK_SLOTS || rows > LOOK_ROWS) break;
    if (looked.has(candidate.slot)) continue;
    if (!isSubmissionSound(ledger, candidate.id)) {
      writing(ledger, () => holdDamaged(ledger, candidate.id, runId));
      continue;
    }
    looked.add(candidate.slot);
    const head = headOfSlot(ledger, environment, candidate, runId);
    if (head === null) continue;
    const due = { submissionId: head.id, operation: head.operation, priority: candidate.priority };
    const dueMs = head.nextAttemptAt === null ? 0 : msFromIso(head.nextAttemptAt);
    if (dueMs > nowMs && dueMs <= nowMs + longestBackOffMs) {
      const latest = latestTransition(ledger, head.id);
      const wasStopped = latest?.event === 'stopped';
      if (!isFromTheFuture(latest, nowMs) && !(isKnownToWork && wasStopped)) {
        atMs = Math.min(atMs ?? dueMs, dueMs);
        areAllStopped &&= wasStopped;
        if (head.resends < (stopped?.resends ?? Number.POSITIVE_INFINITY) && !head.isBlocked)
          stopped = { ...due, resends: head.resends };
        continue;
      }
    }
    if (head.isBlocked) continue;
    return { kind: 'ready', ...due };
  }
  // Whatever was looked at and is not ready is blocked, not due, or has just been moved aside.
  if (looked.size === 0) return { kind: 'nothing' };
  return { kind: 'later', atMs, stopped: areAllStopped ? stopped : null };
}

/** A correction of the clock by less makes a wait longer by no more than that. */
const CLOCK_STEP_MS = 5_000;

/** True when a wait was set at a time that has not come yet: the wall clock was set back since. */
function isFromTheFuture(set: { readonly at: string } | undefined, nowMs: number): boolean {
  return set !== undefined && msFromIso(set.at) > nowMs + CLOCK_STEP_MS;
}

/**
 * The submission of the candidate's slot that goes first, once what a guard holds or what was superseded has been
 * moved aside; null when nothing of the slot waits any more.
 */
function headOfSlot(
  ledger: Ledger,
  environment: string,
  candidate: Waiting,
  runId: number,
): (SlotMate & { readonly isBlocked: boolean }) | null {
  for (;;) {
    const mates = slotMates(ledger, candidate);
    if (!mates.some(({ id }) => id === candidate.id)) throw lostByIndex(ledger, candidate.id);
    const head = mates
      .filter(({ state }) => state === 'waiting')
      .reduce<SlotMate | null>((first, mate) => (first && goesFirst(first, mate) ? first : mate), null);
    if (head === null) return null;
    const verdict = guard(
      head,
      mates.filter(({ id }) => id !== head.id),
      isOnHold(ledger, environment, candidate.learner, head.id),
      supersedes(candidate.operation),
    );
    if (verdict.kind === 'go' || verdict.kind === 'blocked') {
      return { ...head, isBlocked: verdict.kind === 'blocked' };
    }
    writing(ledger, () => {
      const current = waitingById(ledger, head.id);
      if (current) moveAside(ledger, current, verdict, runId);
    });
  }
}

/**
 * Claims a submission under the lease and writes its attempt, in one transaction that asks all guards again.
 * @param chosenBy a rerun: none but what it chose leaves in the same request. null: whatever may.
 * @returns null when it can't be sent any more, or the lease has gone to another owner.
 */
export function claim(
  ledger: Ledger,
  lease: Lease,
  submissionId: number,
  runId: number,
  chosenBy: number | null = null,
): Claim | null {
  return writing(ledger, () => {
    if (!holdsLease(ledger, lease)) return null;
    const candidate = waitingById(ledger, submissionId);
    if (!candidate) return null;
    const chosen = readyNow(ledger, candidate);
    if (chosen === 'damaged') holdDamaged(ledger, submissionId, runId);
    if (chosen === null || chosen === 'damaged') return null;
    const { environment, operation } = chosen;
    const submissions = [chosen, ...sharingWith(ledger, chosen, chosenBy, runId)] as const;
    const revives = candidate.nextDelivery === 'revive';
    const attempt = change(
      ledger,
      query.insertInto('attempt').values({
        run_id: runId,
        environment,
        operation,
        lease_token: lease.token,
        started_at: isoFromMs(ledger.clock.nowMs()),
      }),
    );
    const attemptId = attempt.id;
    change(ledger, query.insertInto('attempt_open').values({ attempt_id: attemptId, environment }));
    for (const { waiting, mates } of submissions) {
      replaceEarlierRevisions(ledger, waiting, mates, runId);
      change(
        ledger,
        query.insertInto('attempt_submission').values({ attempt_id: attemptId, submission_id: waiting.id }),
      );
      move(ledger, waiting, 'claimed', { runId, attemptId });
    }
    const [head, ...others] = submissions;
    return { attemptId, operation, revives, submissions: [claimedOf(head), ...others.map(claimedOf)] };
  });
}

/**
 * Holds a submission of which the ledger keeps something else than what was staged: sent as it is, it would be another
 * completion, and which one nobody knows. Call in a write transaction.
 */
function holdDamaged(ledger: Ledger, id: number, runId: number): void {
  const found = first(ledger, query.selectFrom('submission').select('state').where('submission_id', '=', id));
  if (found?.state !== 'waiting') return;
  move(ledger, { id, state: 'waiting' }, 'guarded', { cause: 'damaged', runId });
}

/** A row that one index has and another hasn't is found for ever, and never sent. */
function lostByIndex({ path }: Ledger, submissionId: number): OperatorError {
  return damagedQueue(path, `an index of it has lost submission ${submissionId}`);
}

/** Rows wait, and none of them can ever be sent: what the ledger says of them contradicts itself. */
export function stuckQueue({ path }: Ledger, environment: string, waiting: number): OperatorError {
  return damagedQueue(
    path,
    `${countOf(waiting, 'row waits', 'rows wait')} for ${environment}, and nothing says for what`,
  );
}

function damagedQueue(path: string, how: string): OperatorError {
  return new OperatorError({
    operation: 'find what is due',
    subject: path,
    message: `${path} is damaged: ${how}`,
    hint: 'Stop runs, look at registrar doctor --deep, and restore a backup: registrar restore FILE --because TEXT. Nothing more is sent until then.',
    exit: 'io',
  });
}

/** A waiting submission that may be sent now. */
interface Ready {
  readonly waiting: Waiting;
  readonly environment: string;
  readonly operation: string;
  readonly record: NormalisedRecord;
  readonly mates: readonly SlotMate[];
}

function claimedOf({ waiting, record }: Ready): ClaimedSubmission {
  return { submissionId: waiting.id, record };
}

/** Asks all guards; null when it can't be sent, `damaged` when what is kept of it is not what was staged. */
function readyNow(ledger: Ledger, waiting: Waiting): Ready | null | 'damaged' {
  const chosen = storedSubmission(ledger, waiting.id);
  if (!chosen) return null;
  // Whoever erases a record dismisses what waits.
  if (chosen.record === null || !isSound(chosen)) return 'damaged';
  const { environment, operation } = chosen;
  const mates = slotMates(ledger, waiting).filter(({ id }) => id !== waiting.id);
  const isHeld = isOnHold(ledger, environment, waiting.learner, waiting.id);
  if (guard(waiting, mates, isHeld, supersedes(operation)).kind !== 'go') return null;
  const record = { fields: JSON.parse(chosen.record) as NormalisedRecord['fields'] };
  return { waiting, environment, operation, record, mates };
}

/** The others that may leave in the same request now, in the order in which they would go. */
function sharingWith(ledger: Ledger, chosen: Ready, chosenBy: number | null, runId: number): Ready[] {
  const { waiting, environment, operation, record } = chosen;
  const { sharing } = operationNamed(operation);
  if (sharing === undefined || waiting.nextDelivery === 'alone') return [];
  const group = JSON.stringify(sharing.group(record));
  const now = isoFromMs(ledger.clock.nowMs());
  const others = all(
    ledger,
    selectWaiting()
      .where(beginsLike('key', bytes(waiting.slot), LEARNER_DIGITS))
      .where('environment', '=', environment)
      .where('operation', '=', operation)
      .where('submission_id', '<>', waiting.id)
      .where('drop_id', '<>', stagingDrop(ledger) ?? 0)
      .where(isChosen(chosenBy))
      .where(({ or, eb }) => or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now)]))
      .orderBy('priority', 'desc')
      .orderBy('drop_id')
      .orderBy('line')
      .orderBy('submission_id'),
  );
  const together: Ready[] = [];
  for (const other of others) {
    if (together.length + 1 >= sharing.most) break;
    if (other.nextDelivery === 'alone') continue;
    const ready = readyNow(ledger, other);
    if (ready === 'damaged') {
      holdDamaged(ledger, other.id, runId);
      continue;
    }
    if (ready && JSON.stringify(sharing.group(ready.record)) === group) together.push(ready);
  }
  return together;
}

/** How a submission last changed its state; undefined: it never did. */
function latestTransition(ledger: Ledger, submissionId: number) {
  return first(
    ledger,
    query
      .selectFrom('transition')
      .select(['event', 'at'])
      .where('submission_id', '=', submissionId)
      .orderBy('transition_id', 'desc')
      .limit(1),
  );
}

/** False where a newer revision of a key is a step after the earlier ones instead of taking their place. */
export function supersedes(operation: string): boolean {
  return operationNamed(operation).kind !== 'steps';
}

/**
 * Asks the guards about a submission that has just been made, so that what they hold doesn't look as if it waited. They
 * ask again before it is sent. Call in a write transaction.
 */
export function guardNow(
  ledger: Ledger,
  environment: string,
  submissionId: number,
  runId: number | null,
): void {
  const candidate = waitingById(ledger, submissionId);
  if (!candidate) return;
  const mates = slotMates(ledger, candidate).filter(({ id }) => id !== submissionId);
  const onHold = isOnHold(ledger, environment, candidate.learner, submissionId);
  moveAside(ledger, candidate, guard(candidate, mates, onHold, supersedes(candidate.operation)), runId);
}

/** Carries out what the guards say, other than that it may be sent. */
function moveAside(ledger: Ledger, candidate: Waiting, verdict: Verdict, runId: number | null): void {
  if (verdict.kind === 'hold') {
    move(ledger, candidate, 'guarded', { cause: verdict.cause, runId });
  }
  if (verdict.kind === 'replace') {
    move(ledger, candidate, 'replaced', { successorId: verdict.successor, cause: 'newer-revision', runId });
  }
}

/**
 * True when no guard would keep the submission back, were it to wait.
 * @param environment where its learner may be on hold; null: whatever the hold of its learner says.
 */
export function wouldGo(ledger: Ledger, submissionId: number, environment: string | null = null): boolean {
  const candidate = first(ledger, selectGuarded().where('submission_id', '=', submissionId));
  if (!candidate) return false;
  const mates = slotMates(ledger, candidate).filter(({ id }) => id !== submissionId);
  const onHold = environment !== null && isOnHold(ledger, environment, candidate.learner, submissionId);
  const { kind } = guard(candidate, mates, onHold, supersedes(candidate.operation));
  return kind === 'go' || kind === 'blocked';
}

/** What keeps a submission that waits from being sent next. */
export interface QueuePlace {
  /** Submissions of the environment that wait and go before it. */
  readonly before: number;
  /** The one of its slot that must be settled first; null: none. */
  readonly behind: number | null;
}

/** Where a waiting submission stands; null when it doesn't wait. */
export function queuePlace(ledger: Ledger, environment: string, submissionId: number): QueuePlace | null {
  const candidate = waitingById(ledger, submissionId);
  if (!candidate) return null;
  const ahead = slotMates(ledger, candidate).find(
    (mate) =>
      mate.id !== submissionId &&
      (mate.state === 'sending' || (mate.state === 'waiting' && goesFirst(mate, candidate))),
  );
  const counted = first(
    ledger,
    waitingCount(ledger, environment).where(
      sql<boolean>`(priority > ${candidate.priority} or (priority = ${candidate.priority}
          and (drop_id, line, submission_id) < (${candidate.drop}, ${candidate.line}, ${submissionId})))`,
    ),
  );
  return { before: counted?.count ?? 0, behind: ahead?.id ?? null };
}

function waitingCount(ledger: Ledger, environment: string) {
  return query
    .selectFrom('submission')
    .select(sql<number>`count(*)`.as('count'))
    .where('environment', '=', environment)
    .where('state', '=', 'waiting')
    .where('drop_id', '<>', stagingDrop(ledger) ?? 0);
}

/**
 * How many submissions wait in an environment, those of an unpublished drop left out.
 * @param of those of one operation, or those that a rerun chose; left out or null: all.
 */
export function countWaiting(
  ledger: Ledger,
  environment: string,
  of: { readonly operation?: string | null; readonly chosenBy?: number | null } = {},
): number {
  const waiting = waitingCount(ledger, environment).where(isChosen(of.chosenBy ?? null));
  const ofOperation = of.operation ?? null;
  const counted = first(
    ledger,
    ofOperation === null ? waiting : waiting.where('operation', '=', ofOperation),
  );
  return counted?.count ?? 0;
}

/** Names of the environments that have rows waiting, read off the index name by name. */
export function waitingEnvironments(ledger: Ledger): string[] {
  const names: string[] = [];
  for (let after = ''; ; ) {
    const next = first(
      ledger,
      query
        .selectFrom('submission')
        .select('environment')
        .where('state', '=', 'waiting')
        .where('environment', '>', after)
        .orderBy('environment')
        .limit(1),
    );
    if (!next) return names;
    names.push(next.environment);
    after = next.environment;
  }
}

/**
 * What waits, in the order it goes: asked for by a person first, then drop by drop, line by line. The drop being staged is one range
 * of the index and is stepped over, however many rows it has.
 */
function* waitingInOrder(
  ledger: Ledger,
  environment: string,
  leftOut: readonly string[],
  chosenBy: number | null,
): Generator<Waiting> {
  const staging = stagingDrop(ledger);
  const ranges: [number, number][] =
    staging === null
      ? [[0, Number.MAX_SAFE_INTEGER]]
      : [
          [0, staging - 1],
          [staging + 1, Number.MAX_SAFE_INTEGER],
        ];
  for (const priority of chosenBy === null ? [1, 0] : [1]) {
    for (const [from, to] of ranges) {
      let after = { drop: from, line: 0, id: 0 };
      for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
        const waiting =
          leftOut.length === 0 ? selectWaiting() : selectWaiting().where('operation', 'not in', leftOut);
        const page = all(
          ledger,
          waiting
            .where('environment', '=', environment)
            .where('priority', '=', priority)
            .where(isChosen(chosenBy))
            .where(sql<boolean>`(drop_id, line, submission_id) > (${after.drop}, ${after.line}, ${after.id})`)
            .where('drop_id', '<=', to)
            .orderBy('drop_id')
            .orderBy('line')
            .orderBy('submission_id')
            .limit(size),
        );
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < size) break;
        after = { drop: last.drop, line: last.line, id: last.id };
      }
    }
  }
}

/** Waiting submissions read at a time: mostly the first one is ready, behind a long slot many are skipped. */
const FIRST_PAGE = 1;
const LARGEST_PAGE = 256;

/** Condition on `submission`: the decision names it; with null it holds for all. */
function isChosen(decisionId: number | null) {
  if (decisionId === null) return sql<boolean>`true`;
  return sql<boolean>`exists (select 1 from decision_submission x
    where x.decision_id = ${decisionId} and x.submission_id = submission.submission_id)`;
}

/** Columns of a waiting submission; hashes as hex. */
function selectWaiting() {
  return selectGuarded().where('state', '=', 'waiting');
}

function selectGuarded() {
  return query
    .selectFrom('submission')
    .select([
      'submission_id as id',
      'drop_id as drop',
      'line',
      'revision',
      'occurred_at as occurredAt',
      'state',
      'pass',
      'operation',
      'priority',
      'next_attempt_at as nextAttemptAt',
      'next_delivery as nextDelivery',
      sql<string>`lower(hex(key))`.as('key'),
      sql<string>`lower(hex(slot))`.as('slot'),
      sql<string | null>`lower(nullif(hex(learner), ''))`.as('learner'),
    ]);
}

function waitingById(ledger: Ledger, submissionId: number): Waiting | undefined {
  return first(ledger, selectWaiting().where('submission_id', '=', submissionId));
}

interface SlotMate extends Guarded {
  readonly operation: string;
  readonly nextAttemptAt: string | null;
  readonly resends: number;
}

/** All published submissions of the candidate's slot, itself among them. */
function slotMates(ledger: Ledger, candidate: Waiting): SlotMate[] {
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
        'operation',
        'next_attempt_at as nextAttemptAt',
        'resends',
        sql<string>`lower(hex(key))`.as('key'),
      ])
      .where(beginsLike('key', bytes(candidate.slot), SLOT_DIGITS))
      .where('slot', '=', bytes(candidate.slot))
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
  if (!supersedes(candidate.operation)) return;
  for (const mate of mates) {
    if (mate.key !== candidate.key || mate.revision > candidate.revision) continue;
    if (mate.state === 'accepted' || mate.state === 'replaced' || mate.state === 'sending') continue;
    move(ledger, mate, 'replaced', { successorId: candidate.id, cause: 'newer-revision', runId });
  }
}
