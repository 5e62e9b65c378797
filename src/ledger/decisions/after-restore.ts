import type { Database } from 'better-sqlite3';
import type { Decider } from '../../domain/decider.js';
import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import type { Standing } from '../../domain/delivery/intent.js';
import { deliveredElsewhere, heldAsRestored } from '../../domain/delivery/restored.js';
import { keepAccess } from '../access/restored-access.js';
import { takeOver } from '../attempts/answers.js';
import { discardRows } from '../drops/discard-rows.js';
import { stagingDrop } from '../drops/drops.js';
import { latestRun } from '../leases/runs.js';
import { noteSuccession } from '../store/ledger-mark.js';
import { all, change, type Ledger, prepared, query, writing } from '../store/query.js';
import { replaceRows, type SeizedLedger } from '../store/set-aside.js';
import { ledgerTotals } from '../store/totals.js';
import { carryOut } from '../submissions/carry-out.js';
import { endDecision, openDecisions, recordDecision, resultOf } from './decision-log.js';

/** The changes to a restored ledger for the time that it doesn't know. */
export interface AfterRestore {
  readonly decisionId: number;
  /** Rows that the replaced ledger had delivered: they are accepted here too. */
  readonly accepted: number;
  /** Rows whose request was under way when the backup was made: in doubt. */
  readonly doubted: number;
  /** Rows that waited, or would have been sent later without a decision: held. */
  readonly held: number;
  /** Rows that the replaced ledger had delivered and this one doesn't have; null: unknown. */
  readonly lost: number | null;
  /**
   * Forgets that were carried out since the backup, as far as known: this ledger has the hashes, and the erased content again.
   */
  readonly forgotten: readonly ForgetRequest[];
}

/** A person's decision to forget a learner, as the replaced ledger has it. */
export interface ForgetRequest {
  readonly who: Decider;
  readonly because: string | null;
  readonly madeAt: string;
}

/** The results of requests under way are unknown, whatever the environment's policy for silence. */
const DOUBT: AnswerPolicy = {
  maxTries: 1,
  maxResends: 0,
  onUnknown: 'hold',
  backOffMs: () => 0,
  spendTries: false,
  // Silence says nothing about a drop's mapping.
  canary: { rows: 0, maxRejected: 0 },
};

/** Names no real boot: permits with it count in full again. */
const FOREIGN_BOOT = 'before the restore';

/**
 * Prepares a copy of a backup to replace a ledger, so that nothing is sent again that the replaced ledger has delivered since.
 * Rows that would be sent without a person are held as `restored`, and rows whose requests were under way are in doubt. Where the
 * replaced ledger can be read, the rows that it delivered are accepted here as well, and the rows that it hasn't tried stay as
 * they are. `strangeDrop` is the highest number of a file in archive/.
 * @param present the ledger to replace; null when there is none that can be opened.
 */
export async function prepareRestored(
  ledger: Ledger,
  present: SeizedLedger | null,
  asked: { readonly who: Decider; readonly because: string; readonly strangeDrop: number },
): Promise<AfterRestore> {
  const { who, because, strangeDrop } = asked;
  const other = present !== null && isComparable(ledger, present.sqlite) ? present.sqlite : null;
  const halfStaged = await stagingDrop(ledger);
  // A half-staged drop counts nowhere, and is read again from its file if that still exists.
  if (halfStaged !== null) await discardRows(ledger, halfStaged);
  return writing(ledger, async (ledger) => {
    const { newestRunAt, newestAttemptAt } = await ledgerTotals(ledger);
    const selection = { newestRunAt, newestAttemptAt, compared: other !== null };
    const decisionId = await recordDecision(ledger, { kind: 'restore', who, because, selection });
    await noteSuccession(ledger, strangeDrop, other === null);
    await freeLeases(ledger);
    keepQuota(ledger, other);
    keepAccess(ledger, other);
    const doubted = await doubtOpenAttempts(ledger);
    const delivered =
      other === null ? { accepted: 0, lost: null } : await acceptDelivered(ledger, other, decisionId);
    const held = await holdUnsent(ledger, other, decisionId);
    const forgotten = other === null ? [] : await keepSuppressions(ledger, other, decisionId);
    await endReruns(ledger);
    if (delivered.lost === 0) await endDecision(ledger, decisionId);
    return { decisionId, doubted, held, forgotten, ...delivered };
  });
}

/** A rerun that is half done in the backup would resend rows that were delivered since: its rows are held, and it has ended. */
async function endReruns(ledger: Ledger): Promise<void> {
  for (const { decisionId, kind } of await openDecisions(ledger)) {
    if (kind === 'rerun') await endDecision(ledger, decisionId, resultOf(ledger, decisionId));
  }
}

/** Only keys of one salt can be compared; and a damaged index may silently omit delivered rows. */
function isComparable(ledger: Ledger, present: Database): boolean {
  try {
    const isSame = present.prepare('select salt from ledger').pluck().get() === ledger.salt;
    return isSame && present.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

async function freeLeases(ledger: Ledger): Promise<void> {
  await change(
    ledger,
    query.updateTable('lease').set({ owner: null, expires_mono_ms: null, heartbeat_mono_ms: null }),
  );
}

/** Requests of the last minute count, whichever ledger made them; where they are unknown, a full period passes. */
function keepQuota(ledger: Ledger, other: Database | null): void {
  if (other === null) {
    prepared(ledger, 'update permit set boot = ?').run(FOREIGN_BOOT);
    prepared(
      ledger,
      'update quota_client set boot = ?, paused_until_mono_ms = max(paused_until_mono_ms, 1)',
    ).run(FOREIGN_BOOT);
    return;
  }
  for (const table of ['permit', 'quota_client'] as const) replaceRows(ledger, other, table);
}

async function doubtOpenAttempts(ledger: Ledger): Promise<number> {
  const environments = await all(ledger, query.selectFrom('attempt_open').select('environment').distinct());
  const runId = await latestRun(ledger);
  if (runId === null) return 0;
  let doubted = 0;
  for (const { environment } of environments) doubted += await takeOver(ledger, environment, DOUBT, runId);
  return doubted;
}

async function acceptDelivered(
  ledger: Ledger,
  other: Database,
  decisionId: number,
): Promise<{ accepted: number; lost: number }> {
  let accepted = 0;
  let lost = 0;
  const delivered = other.prepare(`${KEPT_KEYS} where s.state = 'accepted'`);
  for (const key of delivered.iterate() as IterableIterator<KeptKey>) {
    const own = prepared(ledger, SUBMISSION_WITH).get(key) as Standing | undefined;
    if (own === undefined) lost += 1;
    else {
      const transition = deliveredElsewhere(own);
      await carryOut(ledger, [transition], { decisionId });
      if (transition !== null) accepted += 1;
    }
  }
  return { accepted, lost };
}

/** A key with its revision: what it is in every ledger with the same salt. */
interface KeptKey {
  readonly learner: Buffer;
  readonly content: Buffer;
  readonly environment: string;
  readonly operation: string;
  readonly occurredAt: string;
  readonly revision: number;
}

const KEPT_KEYS = `select s.submission_id as id, s.state, l.hash as learner, c.hash as content, e.name as environment, o.name as operation,
    s.occurred_at as occurredAt, s.revision
  from submission s join learner l using (learner_id) join content c using (content_id)
    join environment e using (environment_id) join operation o using (operation_id)`;

const SUBMISSION_WITH = `select s.submission_id as id, s.state
  from learner l join content c join environment e join operation o
  join submission s using (learner_id, content_id, environment_id, operation_id)
  where l.hash = @learner and c.hash = @content and e.name = @environment and o.name = @operation
    and s.occurred_at = @occurredAt and s.revision = @revision`;

/** Holds the rows that would be sent without a person's decision. Returns the number of rows. */
async function holdUnsent(ledger: Ledger, other: Database | null, decisionId: number): Promise<number> {
  const elsewhere = other?.prepare(SUBMISSION_WITH);
  let held = 0;
  for (let after = 0; ; ) {
    const page = unsentAfter(ledger, after);
    const last = page.at(-1);
    if (!last) return held;
    for (const { id, state, ...key } of page) {
      const there = elsewhere?.get(key) as Standing | undefined;
      const transitions = heldAsRestored({ id, state }, there?.state ?? null);
      await carryOut(ledger, transitions, { decisionId });
      if (transitions.length > 0) held += 1;
    }
    after = last.id;
  }
}

/** Rows held in memory at a time. */
const PAGE = 5_000;

/** The next submissions that would be sent without a person's decision. */
function unsentAfter(ledger: Ledger, after: number): (Standing & KeptKey)[] {
  return prepared(ledger, UNSENT_AFTER).all(after) as (Standing & KeptKey)[];
}

const UNSENT_AFTER = `${KEPT_KEYS}
  where s.submission_id > ? and (s.state = 'waiting' or s.state in ('held', 'rejected') and s.cause = 'learner-unknown')
  order by s.submission_id limit ${PAGE}`;

/**
 * Learners forgotten since the backup stay forgotten for new rows. A person may have several identifiers; a request is about one
 * person.
 */
async function keepSuppressions(
  ledger: Ledger,
  other: Database,
  decisionId: number,
): Promise<ForgetRequest[]> {
  const kept = other
    .prepare(
      `select learner_hash as learner, decision_id as decision, who, because, made_at as madeAt
       from suppression join decision using (decision_id) order by decision_id`,
    )
    .all() as (ForgetRequest & { readonly learner: Buffer; readonly decision: number })[];
  const requests = new Map<number, ForgetRequest>();
  for (const { learner, decision, ...request } of kept) {
    const added = await change(
      ledger,
      query
        .insertInto('suppression')
        .values({ learner_hash: learner, decision_id: decisionId })
        .onConflict((conflict) => conflict.doNothing()),
    );
    if (added > 0) requests.set(decision, request);
  }
  return [...requests.values()];
}
