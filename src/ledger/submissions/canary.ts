import { sql } from 'kysely';
import { type AnsweredRow, type CanaryRule, counted, heldWithDrop } from '../../domain/delivery/canary.js';
import { rowOf } from '../store/by-key.js';
import { yieldToEventLoop } from '../store/pages.js';
import { inEnvironment, type Ledger, writing } from '../store/query.js';
import { applyIntents } from './apply-intents.js';

/** Rows per transaction: few enough to take well below a second. */
const HELD_AT_ONCE = 5_000;

/**
 * Counts an answer to a submission among the first ones of its drop. Rows of a rerun don't count, because they say nothing
 * about the mapping. Call it in a write transaction.
 * @returns the drop if this answer exceeds the limit of refusals; null otherwise.
 */
export async function countCanary(
  ledger: Ledger,
  submission: AnsweredRow,
  state: 'accepted' | 'rejected',
  rule: CanaryRule,
) {
  if (rule.rows === 0) return null;
  const { dropId } = submission;
  const canary = await rowOf(ledger, 'canary', { drop_id: dropId });
  const before = canary === undefined ? null : { ...canary, isStopped: canary.stopped_at !== null };
  const intent = counted(submission, state, before, rule);
  await applyIntents(ledger, [intent], {});
  return intent?.isStopped ? { dropId, answered: intent.answered, refused: intent.refused } : null;
}

/**
 * Holds the waiting rows of stopped drops, except rows of a rerun. A drop is finished once none of its rows is being sent: a
 * row that waits again is held too.
 */
export async function holdStoppedDrops(ledger: Ledger, environment: string, runId: number): Promise<void> {
  const stopped = await ledger.db
    .selectFrom('canary')
    .select('drop_id as dropId')
    .where('environment', '=', environment)
    .where('stopped_at', 'is not', null)
    .where('held_at', 'is', null)
    .execute();
  for (const { dropId } of stopped) {
    while (!(await holdSome(ledger, environment, dropId, runId))) await yieldToEventLoop();
  }
}

/** Holds the next rows of a drop. @returns true: these were all. */
async function holdSome(ledger: Ledger, environment: string, dropId: number, runId: number) {
  return writing(ledger, async (ledger) => {
    const inState = (state: 'waiting' | 'sending') =>
      ledger.db
        .selectFrom('submission')
        .select(['submission_id as id', 'state'])
        .where(inEnvironment(environment))
        .where('state', '=', sql.lit(state))
        .where('drop_id', '=', dropId);
    const rows = await inState('waiting').where('priority', '=', 0).limit(sql.lit(HELD_AT_ONCE)).execute();
    const underWay = await inState('sending').executeTakeFirst();
    const areAll = rows.length < HELD_AT_ONCE;
    await applyIntents(ledger, heldWithDrop(dropId, rows, areAll, underWay !== undefined), { runId });
    return areAll;
  });
}
