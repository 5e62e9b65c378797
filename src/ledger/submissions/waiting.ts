import { type InferResult, sql } from 'kysely';
import { behind } from '../../domain/delivery/slot.js';
import type { State } from '../../domain/submission.js';
import { isStaged } from '../drops/drops.js';
import { all, boundLimit, count, first, inEnvironment, type Ledger, query } from '../store/query.js';
import { published } from './open-items.js';
import { occurredAt, slotAt } from './slots.js';

/** A waiting submission; `content`: the identifier of its content. */
export type Waiting = InferResult<ReturnType<typeof selectWaiting>>[number];

/**
 * The place of a waiting submission in the queue; null: it isn't waiting. `before`: how many waiting submissions of the
 * environment go before it; `behind`: the submission of its slot that must be sent first; null: none.
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

/** Counts the waiting submissions of an environment; the options restrict it to one operation or to a rerun. */
export async function countWaiting(
  ledger: Ledger,
  environment: string,
  { operation = null, chosenBy = null }: { operation?: string | null; chosenBy?: number | null } = {},
): Promise<number> {
  if (operation === null && chosenBy === null) {
    const waits = await countByEnvironment(ledger, 'waiting');
    return waits.find((one) => one.environment === environment)?.count ?? 0;
  }
  const isOf =
    operation === null
      ? sql<boolean>`true`
      : sql<boolean>`operation_id in (select o.operation_id from operation o where o.name = ${operation})`;
  return count(ledger, waitingIn(environment).where(isChosen(chosenBy)).where(isOf));
}

/** Streams waiting submissions in delivery order, without half staged drops: reruns first, then by file and line. */
export async function* waitingInOrder(
  ledger: Ledger,
  environment: string,
  omitted: readonly string[],
  chosenBy: number | null,
): AsyncGenerator<Waiting> {
  for (const priority of chosenBy === null ? [1, 0] : [1]) {
    let after = [0, 0, 0];
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, MAX_PAGE)) {
      const waiting =
        omitted.length === 0 ? selectWaiting() : selectWaiting().where('operation', 'not in', omitted);
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

/** Submissions per page, growing: usually the first is ready, but behind a long slot many are skipped. */
const FIRST_PAGE = 1;
const MAX_PAGE = 256;

/** Condition on `submission`: the decision lists it; null: any submission. */
export function isChosen(decisionId: number | null) {
  if (decisionId === null) return sql<boolean>`true`;
  return sql<boolean>`exists (select 1 from decision_submission x
    where x.decision_id = ${decisionId} and x.submission_id = submission.submission_id)`;
}

export function selectWaiting() {
  return query
    .selectFrom('submission_record as submission')
    .select(['submission_id as id', 'drop_id as dropId', 'line', 'revision', 'state', 'overrides'])
    .select(['operation', 'environment', 'priority', 'next_delivery as nextDelivery'])
    .select(['learner_id as learnerId', 'content_id as contentId', 'content', occurredAt('submission')])
    .where('state', '=', sql.lit('waiting'));
}

export async function waitingById(ledger: Ledger, submissionId: number): Promise<Waiting | undefined> {
  return first(ledger, selectWaiting().where('submission_id', '=', submissionId));
}

/** Counts the submissions of published drops in a state by environment; an environment without any is absent. */
export async function countByEnvironment(ledger: Ledger, state: State) {
  const counted = published()
    .innerJoin('environment as e', 'e.environment_id', 'n.environment_id')
    .select(['e.name as environment', sql<number>`sum(n.count)`.as('count')])
    .where('n.state', '=', state)
    .groupBy('e.name')
    .orderBy('e.name');
  return all(ledger, counted);
}

/** Rows that a decision has just released may come before one that has waited for long. */
const NEXT_ROWS = 1_000;

/**
 * The ISO time since which the oldest of the next rows has waited, including one that is being sent: since its drop was
 * published, or a decision or the end of a hold released it. null: none is waiting.
 */
export async function waitingSince(ledger: Ledger, environment: string): Promise<string | null> {
  const next = (which: ReturnType<typeof sql>) => sql`select * from (
    select submission_id, drop_id, decision_id from submission
    where environment_id = (select e.environment_id from environment e where e.name = ${environment})
      and ${which} and ${isStaged('drop_id')}
    order by drop_id, line limit ${sql.lit(NEXT_ROWS)}) n`;
  const rows = sql<{ submission_id: number; drop_id: number; decision_id: number | null }>`(
    ${next(sql`state = 'waiting' and priority = 1`)} union all ${next(sql`state = 'waiting' and priority = 0`)}
    union all ${next(sql`state = 'sending'`)})`;
  const since = sql<string | null>`min(coalesce(
    (select max(t.at) from transition t where t.submission_id = w.submission_id and t.event in ('rerun', 'released')),
    (select c.made_at from decision c where c.decision_id = w.decision_id),
    (select d.published_at from drop_file d where d.drop_id = w.drop_id)))`;
  return (await first(ledger, query.selectFrom(rows.as('w')).select(since.as('since'))))?.since ?? null;
}

/** Counts the rows of an environment that arrived by an ISO time and are neither delivered nor decided yet. */
export async function countDue(ledger: Ledger, environment: string, by: string): Promise<number> {
  const due = query
    .selectFrom('submission')
    .innerJoin('drop_file as d', 'd.drop_id', 'submission.drop_id')
    .where(inEnvironment(environment))
    .where('submission.state', 'in', ['waiting', 'sending'])
    .where('d.published_at', '<=', by);
  return count(ledger, due);
}
