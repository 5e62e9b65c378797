import { sql } from 'kysely';
import { type CanaryRule, counted, heldWithDrop } from '../../domain/delivery/canary.js';
import { inEnvironment, type Ledger, writing } from '../store/query.js';
import { carryOut } from './carry-out.js';

/** Rows per transaction: few enough to take well below a second. */
const HELD_AT_ONCE = 5_000;

/**
 * Counts an answer among the first ones of its drop. Rows of a rerun don't count, because they say nothing about the
 * mapping. Call it in a write transaction.
 * @returns the drop if this answer exceeds the limit of refusals; null otherwise.
 */
export async function countCanary(
  ledger: Ledger,
  submissionId: number,
  state: 'accepted' | 'rejected',
  rule: CanaryRule,
) {
  if (rule.rows === 0) return null;
  const canary = await ledger.db
    .selectFrom('submission_record as s')
    .leftJoin('canary as c', 'c.drop_id', 's.drop_id')
    .select([
      's.drop_id as dropId',
      's.environment',
      's.priority',
      'c.answered',
      'c.refused',
      'c.stopped_at as stoppedAt',
    ])
    .where('s.submission_id', '=', submissionId)
    .executeTakeFirst();
  if (!canary) return null;
  const { dropId, answered, refused, stoppedAt } = canary;
  const before =
    answered === null || refused === null ? null : { answered, refused, isStopped: stoppedAt !== null };
  const intent = counted(canary, state, before, rule);
  await carryOut(ledger, [intent], {});
  return intent?.isStopped ? { dropId, answered: intent.answered, refused: intent.refused } : null;
}

/**
 * Holds some of the waiting rows of stopped drops, except rows of a rerun. A drop is finished once none of its rows
 * is being sent: a row that waits again is held too.
 * @returns false: there is no row to hold now.
 */
export async function holdStoppedDrops(ledger: Ledger, environment: string, runId: number): Promise<boolean> {
  const stopped = await ledger.db
    .selectFrom('canary')
    .select('drop_id as dropId')
    .where('environment', '=', environment)
    .where('stopped_at', 'is not', null)
    .where('held_at', 'is', null)
    .execute();
  for (const { dropId } of stopped) {
    if (await holdDrop(ledger, environment, dropId, runId)) return true;
  }
  return false;
}

async function holdDrop(
  ledger: Ledger,
  environment: string,
  dropId: number,
  runId: number,
): Promise<boolean> {
  return writing(ledger, async (ledger) => {
    const rows = await ledger.db
      .selectFrom('submission')
      .select(['submission_id as id', 'state'])
      .where(inEnvironment(environment))
      .where('state', '=', sql.lit('waiting'))
      .where('priority', '=', 0)
      .where('drop_id', '=', dropId)
      .limit(sql.lit(HELD_AT_ONCE))
      .execute();
    const underWay = await ledger.db
      .selectFrom('submission')
      .select('submission_id')
      .where(inEnvironment(environment))
      .where('state', '=', sql.lit('sending'))
      .where('drop_id', '=', dropId)
      .executeTakeFirst();
    const areAll = rows.length < HELD_AT_ONCE;
    await carryOut(ledger, heldWithDrop(dropId, rows, areAll, underWay !== undefined), { runId });
    return rows.length > 0;
  });
}
