import type { Database } from 'better-sqlite3';
import { type InferResult, sql } from 'kysely';
import type { Decider } from '../../domain/decider.js';
import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { deliveredElsewhere, heldAsRestored } from '../../domain/delivery/restored.js';
import { takeOver } from '../attempts/answers.js';
import { discardRows } from '../drops/discard-rows.js';
import { unfinishedDrops } from '../drops/drops.js';
import { latestRun } from '../leases/runs.js';
import { greatest } from '../store/dialect.js';
import { noteSuccession } from '../store/ledger-mark.js';
import { all, change, first, type Ledger, query, writing } from '../store/query.js';
import { executorOn } from '../store/sqlite/executor.js';
import { isIntact } from '../store/sqlite/file-health.js';
import { replaceRows, type SeizedLedger } from '../store/sqlite/set-aside.js';
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
  // A half-staged drop counts nowhere, and is read again from its file if that still exists.
  for (const { dropId } of await unfinishedDrops(ledger)) await discardRows(ledger, dropId);
  return writing(ledger, async (ledger) => {
    const { newestRunAt, newestAttemptAt } = await ledgerTotals(ledger);
    const selection = { newestRunAt, newestAttemptAt, compared: other !== null };
    const decisionId = await recordDecision(ledger, { kind: 'restore', who, because, selection });
    await noteSuccession(ledger, strangeDrop, other === null);
    await freeLeases(ledger);
    await keepQuota(ledger, other);
    await keepAccess(ledger, other);
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
    if (kind === 'rerun') await endDecision(ledger, decisionId, await resultOf(ledger, decisionId));
  }
}

/** Only keys of one salt can be compared; and a damaged index may silently omit delivered rows. */
function isComparable(ledger: Ledger, present: Database): boolean {
  try {
    const isSame = present.prepare('select salt from ledger').pluck().get() === ledger.salt;
    return isSame && isIntact(present);
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

async function freeLeases(ledger: Ledger): Promise<void> {
  await ledger.db
    .updateTable('lease')
    .set({ owner: null, expires_mono_ms: null, heartbeat_mono_ms: null })
    .execute();
}

/**
 * Nobody gets in by what a restore brings back: sessions have ended, and tokens are those of the replaced ledger, revoked ones
 * revoked. Where that can't be read, the backup's tokens are valid as they were.
 */
async function keepAccess(ledger: Ledger, other: Database | null): Promise<void> {
  await ledger.db.deleteFrom('session').execute();
  if (other !== null) replaceRows(ledger, other, 'api_token');
}

/** Requests of the last minute count, whichever ledger made them; where they are unknown, a full period passes. */
async function keepQuota(ledger: Ledger, other: Database | null): Promise<void> {
  if (other === null) {
    await ledger.db.updateTable('permit').set({ boot: FOREIGN_BOOT }).execute();
    const paused = greatest(sql.ref('paused_until_mono_ms'), 1);
    const clients = query
      .updateTable('quota_client')
      .set({ boot: FOREIGN_BOOT, paused_until_mono_ms: paused });
    await change(ledger, clients);
    return;
  }
  for (const table of ['permit', 'quota_client'] as const) replaceRows(ledger, other, table);
}

/** The rows of requests under way become in doubt: this ledger never hears how those ended. @returns the number of requests. */
export async function doubtOpenAttempts(ledger: Ledger): Promise<number> {
  const environments = await ledger.db.selectFrom('attempt_open').select('environment').distinct().execute();
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
  const delivered = keptKeys.where('s.state', '=', sql.lit('accepted')).compile();
  for (const key of other.prepare(delivered.sql).iterate() as IterableIterator<KeptKey>) {
    const own = await first(ledger, submissionWith(key));
    if (own === undefined) lost += 1;
    else {
      const transition = deliveredElsewhere(own);
      await carryOut(ledger, [transition], { decisionId });
      if (transition !== null) accepted += 1;
    }
  }
  return { accepted, lost };
}

type KeptKey = InferResult<typeof keptKeys>[number];

/** A key with its revision: what it is in every ledger with the same salt. */
const keptKeys = query
  .selectFrom('submission as s')
  .innerJoin('learner as l', 'l.learner_id', 's.learner_id')
  .innerJoin('content as c', 'c.content_id', 's.content_id')
  .innerJoin('environment as e', 'e.environment_id', 's.environment_id')
  .innerJoin('operation as o', 'o.operation_id', 's.operation_id')
  .select(['s.submission_id as id', 's.state', 's.occurred_at as occurredAt', 's.revision'])
  .select(['l.hash as learner', 'c.hash as content', 'e.name as environment', 'o.name as operation']);

function submissionWith(key: KeptKey) {
  return keptKeys
    .where('l.hash', '=', key.learner)
    .where('c.hash', '=', key.content)
    .where('e.name', '=', key.environment)
    .where('o.name', '=', key.operation)
    .where('s.occurred_at', '=', key.occurredAt)
    .where('s.revision', '=', key.revision);
}

/** Holds the rows that would be sent without a person's decision. Returns the number of rows. */
async function holdUnsent(ledger: Ledger, other: Database | null, decisionId: number): Promise<number> {
  const elsewhere = other && executorOn(other, new Map(), ledger.clock);
  let held = 0;
  for (let after = 0; ; ) {
    const page = await all(ledger, unsentAfter(after));
    const last = page.at(-1);
    if (!last) return held;
    for (const key of page) {
      const there = await elsewhere?.executeQuery(submissionWith(key).compile());
      const transitions = heldAsRestored(key, there?.rows[0]?.state ?? null);
      await carryOut(ledger, transitions, { decisionId });
      if (transitions.length > 0) held += 1;
    }
    after = last.id;
  }
}

/** Rows held in memory at a time. */
const PAGE = 5_000;

/** The next submissions that would be sent without a person's decision. */
function unsentAfter(after: number) {
  return keptKeys
    .where('s.submission_id', '>', after)
    .where(
      sql<boolean>`(s.state = 'waiting' or s.state in ('held', 'rejected') and s.cause = 'learner-unknown')`,
    )
    .orderBy('s.submission_id')
    .limit(sql.lit(PAGE));
}

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
