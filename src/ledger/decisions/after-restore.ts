import type { Database } from 'better-sqlite3';
import { sql } from 'kysely';
import type { Decider } from '../../domain/decider.js';
import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { heldAsRestored } from '../../domain/delivery/restored.js';
import { takeOver } from '../attempts/answers.js';
import { discardRows } from '../drops/discard-rows.js';
import { unfinishedDrops } from '../drops/drops.js';
import { FREE_LEASE } from '../leases/leases.js';
import { latestRun } from '../leases/runs.js';
import { greatest } from '../store/dialect.js';
import { ledgerTotals } from '../store/ledger-facts.js';
import { noteSuccession } from '../store/ledger-mark.js';
import { all, change, type Ledger, query, writing } from '../store/query.js';
import { isIntact } from '../store/sqlite/file-health.js';
import { replaceTokens, type SeizedLedger } from '../store/sqlite/set-aside.js';
import { carryOut } from '../submissions/carry-out.js';
import { closeDecision, openDecisions, recordDecision } from './decision-log.js';

/** The changes to a restored ledger for the time that it doesn't know. */
export type AfterRestore = Awaited<ReturnType<typeof prepareRestored>>;

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
 * Prepares a copy of a backup to replace a ledger, so that nothing is sent again that the replaced ledger has
 * delivered since. All rows that would be sent without a person are held as `restored`, and rows whose requests were
 * under way are in doubt. Of the replaced ledger only what protects people is kept: its tokens, and who was
 * forgotten. The restore stays open until a person finishes it. `foreignDropMax` is the highest number of a file in
 * archive/.
 * @param present the ledger to replace; null when there is none that can be opened.
 * @returns how many rows are in doubt and held, and the decisions to forget a learner that were carried out since the
 * backup, as far as known: this ledger has the hashes, and the erased content again.
 */
export async function prepareRestored(
  ledger: Ledger,
  present: SeizedLedger | null,
  asked: { readonly who: Decider; readonly because: string; readonly foreignDropMax: number },
) {
  const { who, because, foreignDropMax } = asked;
  // A half-staged drop counts nowhere, and is read again from its file if that still exists.
  for (const { dropId } of await unfinishedDrops(ledger)) await discardRows(ledger, dropId);
  return writing(ledger, async (ledger) => {
    const { newestRunAt, newestAttemptAt } = await ledgerTotals(ledger);
    const selection = { newestRunAt, newestAttemptAt };
    const decisionId = await recordDecision(ledger, { kind: 'restore', who, because, selection });
    await noteSuccession(ledger, foreignDropMax);
    await ledger.db.updateTable('lease').set(FREE_LEASE).execute();
    // The requests of the replaced ledger's last minute are unknown here, so a full period passes.
    await ledger.db.updateTable('permit').set({ boot: FOREIGN_BOOT }).execute();
    const paused_until_mono_ms = greatest(sql.ref('paused_until_mono_ms'), 1);
    await ledger.db.updateTable('quota_client').set({ boot: FOREIGN_BOOT, paused_until_mono_ms }).execute();
    // Nobody gets in by what a restore brings back.
    await ledger.db.deleteFrom('session').execute();
    const doubted = await doubtOpenAttempts(ledger);
    const held = await holdUnsent(ledger, decisionId);
    const forgotten = present === null ? [] : await keepProtection(ledger, present, decisionId);
    // A rerun that is half done in the backup would resend rows that were delivered since: its rows are held, and it
    // has ended.
    const reruns = (await openDecisions(ledger)).filter(({ kind }) => kind === 'rerun');
    for (const rerun of reruns) await closeDecision(ledger, rerun.decisionId);
    return { decisionId, doubted, held, forgotten };
  });
}

/**
 * The rows of requests under way become in doubt: this ledger never hears how those ended.
 * @returns the number of requests.
 */
export async function doubtOpenAttempts(ledger: Ledger): Promise<number> {
  const environments = await ledger.db.selectFrom('attempt_open').select('environment').distinct().execute();
  const runId = await latestRun(ledger);
  if (runId === null) return 0;
  let doubted = 0;
  for (const { environment } of environments) doubted += await takeOver(ledger, environment, DOUBT, runId);
  return doubted;
}

/** Holds the rows that would be sent without a person's decision. Returns the number of rows. */
async function holdUnsent(ledger: Ledger, decisionId: number): Promise<number> {
  let held = 0;
  for (let after = 0; ; ) {
    const page = await all(
      ledger,
      query
        .selectFrom('submission')
        .select(['submission_id as id', 'state'])
        .where('submission_id', '>', after)
        .where(
          sql<boolean>`(state = 'waiting' or state in ('held', 'rejected') and cause = 'learner-unknown')`,
        )
        .orderBy('submission_id')
        .limit(sql.lit(PAGE)),
    );
    const last = page.at(-1);
    if (!last) return held;
    await carryOut(ledger, page.flatMap(heldAsRestored), { decisionId });
    held += page.length;
    after = last.id;
  }
}

/** Rows held in memory at a time. */
const PAGE = 5_000;

/**
 * Keeps the tokens of the replaced ledger, revoked ones revoked, and who was forgotten in it; nothing where it is
 * damaged.
 */
async function keepProtection(ledger: Ledger, other: Database, decisionId: number) {
  if (!isReadable(ledger, other)) return [];
  replaceTokens(ledger, other);
  return keepSuppressions(ledger, other, decisionId);
}

/** Hashes under another salt are about nobody here. */
function isReadable(ledger: Ledger, other: Database): boolean {
  try {
    const isSame = other.prepare('select salt from ledger').pluck().get() === ledger.salt;
    return isSame && isIntact(other);
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

/**
 * Learners forgotten since the backup stay forgotten for new rows. A person may have several identifiers; a request
 * is about one person.
 */
async function keepSuppressions(ledger: Ledger, other: Database, decisionId: number) {
  const kept = other
    .prepare(
      `select learner_hash as learner, decision_id as decision, who, because, made_at as madeAt
       from suppression join decision using (decision_id) order by decision_id`,
    )
    .all() as { learner: Buffer; decision: number; who: string; because: string | null; madeAt: string }[];
  const requests = new Map<number, Pick<(typeof kept)[number], 'who' | 'because' | 'madeAt'>>();
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
