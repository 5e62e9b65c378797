import type { Database } from 'better-sqlite3';
import { sql } from 'kysely';
import type { AnswerPolicy } from '../../domain/delivery/answer.js';
import { heldAsRestored } from '../../domain/delivery/decision.js';
import type { SubmissionState } from '../../domain/delivery/intent.js';
import { takeOver } from '../attempts/answers.js';
import { discardRows } from '../drops/discard-rows.js';
import { unfinishedDrops } from '../drops/drops.js';
import { FREE_LEASE } from '../leases/leases.js';
import { latestRun } from '../leases/runs.js';
import { addRow } from '../store/by-key.js';
import { greatest } from '../store/dialect.js';
import { ledgerTotals } from '../store/ledger-facts.js';
import { recordSuccession } from '../store/ledger-mark.js';
import { pagesAfter } from '../store/pages.js';
import { all, type Ledger, query, writing } from '../store/query.js';
import { replaceTokens, type SeizedLedger } from '../store/sqlite/seize-ledger.js';
import { applyIntents } from '../submissions/apply-intents.js';
import { closeDecision, type DecisionFacts, openDecisions, recordDecision } from './decision-log.js';

/** The policy for open requests: their results are unknown, whatever the environment's policy for missing answers. */
const DOUBT: AnswerPolicy = {
  maxTries: 1,
  maxResends: 0,
  onUnknown: 'hold',
  backOffMs: () => 0,
  spendTries: false,
  // A missing answer doesn't show whether a drop's mapping is right.
  canary: { rows: 0, maxRejected: 0 },
};

/** A boot id that no machine has: permits with it count in full again. */
const FOREIGN_BOOT = 'before the restore';

/**
 * Prepares a copy of a backup to replace a ledger, so that no row is sent again that the replaced ledger has
 * delivered since. Rows that would be sent automatically are held as `restored`, and rows with an open request are in
 * doubt. From the replaced ledger, only its tokens and its forgotten learners are kept. The restore stays open until
 * an operator finishes it. `foreignDropMax` is the highest number of a file in archive/.
 * @param present the ledger to replace; null: there is none that can be opened.
 * @returns how many requests are in doubt and how many rows are held, and the known decisions to forget a learner
 * since the backup: the restored ledger has their hashes, but also the erased content.
 */
export async function prepareRestored(
  ledger: Ledger,
  present: SeizedLedger | null,
  {
    foreignDropMax,
    ...request
  }: Pick<DecisionFacts, 'who' | 'because'> & { readonly foreignDropMax: number },
) {
  // The rows of a half staged drop don't count; its file is imported again if it still exists.
  for (const { dropId } of await unfinishedDrops(ledger)) await discardRows(ledger, dropId);
  return writing(ledger, async (ledger) => {
    const { newestRunAt, newestAttemptAt } = await ledgerTotals(ledger);
    const selection = { newestRunAt, newestAttemptAt };
    const decisionId = await recordDecision(ledger, { kind: 'restore', ...request, selection });
    await recordSuccession(ledger, foreignDropMax);
    await ledger.db.updateTable('lease').set(FREE_LEASE).execute();
    // The replaced ledger's requests of the last minute are unknown, so the quota waits a full period.
    await ledger.db.updateTable('permit').set({ boot: FOREIGN_BOOT }).execute();
    const paused_until_mono_ms = greatest(sql.ref('paused_until_mono_ms'), 1);
    await ledger.db.updateTable('quota_client').set({ boot: FOREIGN_BOOT, paused_until_mono_ms }).execute();
    // Sessions of the backup must not be valid again.
    await ledger.db.deleteFrom('session').execute();
    const doubted = await doubtOpenAttempts(ledger);
    const held = await holdUnsent(ledger, decisionId);
    const isKept = present !== null && isReadable(ledger, present);
    // Tokens too, also revoked ones.
    if (isKept) replaceTokens(ledger, present);
    const forgotten = isKept ? await keepSuppressions(ledger, present, decisionId) : [];
    // An unfinished rerun of the backup would resend rows that were delivered since. Its rows are held, and it ends
    // here.
    const reruns = (await openDecisions(ledger)).filter(({ kind }) => kind === 'rerun');
    for (const rerun of reruns) await closeDecision(ledger, rerun.decisionId);
    return { decisionId, doubted, held, forgotten };
  });
}

/** Moves the rows of open requests to in doubt: their answers never come. @returns the number of requests. */
export async function doubtOpenAttempts(ledger: Ledger): Promise<number> {
  const environments = await ledger.db.selectFrom('attempt_open').select('environment').distinct().execute();
  const runId = await latestRun(ledger);
  if (runId === null) return 0;
  let doubted = 0;
  for (const { environment } of environments) doubted += await takeOver(ledger, environment, DOUBT, runId);
  return doubted;
}

/** Holds the rows that would be sent without a decision. @returns the number of rows. */
async function holdUnsent(ledger: Ledger, decisionId: number): Promise<number> {
  const isUnsent = sql<boolean>`(state = 'waiting' or state in ('held', 'rejected') and cause = 'learner-unknown')`;
  const unsent = query
    .selectFrom('submission')
    .select(['submission_id as id', 'state'])
    .where(isUnsent)
    .orderBy('submission_id')
    .limit(sql.lit(PAGE));
  const pageAfter = (last: SubmissionState | null) =>
    all(ledger, unsent.where('submission_id', '>', last?.id ?? 0));
  let held = 0;
  for await (const page of pagesAfter(pageAfter)) {
    await applyIntents(ledger, page.flatMap(heldAsRestored), { decisionId });
    held += page.length;
  }
  return held;
}

/** Rows held in memory at a time. */
const PAGE = 5_000;

/** False where the other ledger is damaged, or has another salt: its hashes have no meaning here. */
function isReadable(ledger: Ledger, other: Database): boolean {
  try {
    const isSame = other.prepare('select salt from ledger').pluck().get() === ledger.salt;
    return isSame && other.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

/** Keeps the learners forgotten since the backup forgotten. @returns one entry for each decision. */
async function keepSuppressions(ledger: Ledger, other: Database, decisionId: number) {
  const suppressions = other
    .prepare(
      `select learner_hash as learner, decision_id as decision, who, because, made_at as madeAt
       from suppression join decision using (decision_id) order by decision_id`,
    )
    .all() as { learner: Buffer; decision: number; who: string; because: string | null; madeAt: string }[];
  const requests = new Map<number, Pick<(typeof suppressions)[number], 'who' | 'because' | 'madeAt'>>();
  for (const { learner, decision, ...request } of suppressions) {
    const isNew = await addRow(ledger, 'suppression', { learner_hash: learner, decision_id: decisionId });
    if (isNew) requests.set(decision, request);
  }
  return [...requests.values()];
}
