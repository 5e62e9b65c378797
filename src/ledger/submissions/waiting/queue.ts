import { type InferResult, sql } from 'kysely';
import { behind } from '../../../domain/delivery/slot.js';
import { isStaged } from '../../drops/drops.js';
import { all, boundLimit, count, first, inEnvironment, type Ledger, query } from '../../store/query.js';
import { occurredAt, slotAt } from '../slots.js';
import { countByEnvironment } from './waiting-count.js';

/** A waiting submission; `content`: the identifier of its content. */
export type Waiting = InferResult<ReturnType<typeof selectWaiting>>[number];

/** What keeps a waiting submission from being sent next. */
export type QueuePlace = NonNullable<Awaited<ReturnType<typeof queuePlace>>>;

/**
 * Where a waiting submission stands; null when it doesn't wait. `before`: how many waiting submissions of the environment go before it;
 * `behind`: the peer of its slot that must be sent first; null: none.
 */
export async function queuePlace(ledger: Ledger, environment: string, submissionId: number) {
  const candidate = await waitingById(ledger, submissionId);
  if (!candidate) return null;
  const before = sql<boolean>`(priority > ${candidate.priority} or (priority = ${candidate.priority}
    and (drop_id, line, submission_id) < (${candidate.dropId}, ${candidate.line}, ${submissionId})))`;
  const ahead = await count(ledger, waitingIn(environment).where(before));
  return { before: ahead, behind: behind(await slotAt(ledger, candidate), candidate) };
}

function waitingIn(environment: string) {
  return query
    .selectFrom('submission')
    .where(inEnvironment(environment))
    .where('state', '=', sql.lit('waiting'))
    .where(isStaged('drop_id'));
}

/**
 * How many submissions wait in an environment, without those of an unpublished drop.
 * @param of only those of one operation, or those that a rerun chose; left out or null: all.
 */
export async function countWaiting(
  ledger: Ledger,
  environment: string,
  of: { readonly operation?: string | null; readonly chosenBy?: number | null } = {},
): Promise<number> {
  const ofOperation = of.operation ?? null;
  const chosenBy = of.chosenBy ?? null;
  if (ofOperation === null && chosenBy === null) {
    const waits = await countByEnvironment(ledger, 'waiting');
    return waits.find((one) => one.environment === environment)?.count ?? 0;
  }
  const isOf =
    ofOperation === null
      ? sql<boolean>`true`
      : sql<boolean>`operation_id in (select o.operation_id from operation o where o.name = ${ofOperation})`;
  return count(ledger, waitingIn(environment).where(isChosen(chosenBy)).where(isOf));
}

/**
 * Waiting submissions in the order of delivery: those that a person asked for first, then file by file, line by line. Drops that
 * are being staged are left out.
 */
export async function* waitingInOrder(
  ledger: Ledger,
  environment: string,
  leftOut: readonly string[],
  chosenBy: number | null,
): AsyncGenerator<Waiting> {
  for (const priority of chosenBy === null ? [1, 0] : [1]) {
    let after = [0, 0, 0];
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
      const waiting =
        leftOut.length === 0 ? selectWaiting() : selectWaiting().where('operation', 'not in', leftOut);
      const page = await all(
        ledger,
        waiting
          .where(inEnvironment(environment))
          .where('priority', '=', priority)
          .where(isChosen(chosenBy))
          .where(isStaged('drop_id'))
          .where(sql<boolean>`(drop_id, line, submission_id) > (${sql.join(after)})`)
          .orderBy('drop_id')
          .orderBy('line')
          .orderBy('submission_id')
          .limit(boundLimit(size)),
      );
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < size) break;
      after = [last.dropId, last.line, last.id];
    }
  }
}

/** Waiting submissions read at a time: mostly the first one is ready; behind a long slot many are skipped. */
const FIRST_PAGE = 1;
const LARGEST_PAGE = 256;

/** Condition on `submission`: the decision names it; with null it holds for all. */
export function isChosen(decisionId: number | null) {
  if (decisionId === null) return sql<boolean>`true`;
  return sql<boolean>`exists (select 1 from decision_submission x
    where x.decision_id = ${decisionId} and x.submission_id = submission.submission_id)`;
}

/** Columns of a waiting submission. */
export function selectWaiting() {
  return query
    .selectFrom('submission_record as submission')
    .select([
      'submission_id as id',
      'drop_id as dropId',
      'line',
      'revision',
      'state',
      'overrides',
      'operation',
      'priority',
      'environment',
      'next_delivery as nextDelivery',
      'learner_id as learnerId',
      'content_id as contentId',
      'content',
      occurredAt('submission'),
    ])
    .where('state', '=', sql.lit('waiting'));
}

export async function waitingById(ledger: Ledger, submissionId: number): Promise<Waiting | undefined> {
  return first(ledger, selectWaiting().where('submission_id', '=', submissionId));
}
