import { sql } from 'kysely';
import type { NextDelivery } from '../../../domain/cause.js';
import type { Guarded } from '../../../domain/delivery/guard.js';
import { behind } from '../../../domain/delivery/slot.js';
import { isStaged } from '../../drops/drops.js';
import { all, boundLimit, first, inEnvironment, type Ledger, query } from '../../store/query.js';
import { occurredAt, type SlotRef, slotAt } from '../slots.js';
import { countByEnvironment } from './waiting-count.js';

export interface Waiting extends Guarded, SlotRef {
  /** The identifier of its content. */
  readonly content: string;
  readonly nextDelivery: NextDelivery | null;
  readonly priority: number;
  readonly dropId: number;
  readonly line: number;
}

/** What keeps a waiting submission from being sent next. */
export interface QueuePlace {
  /** The number of waiting submissions of the environment that go before it. */
  readonly before: number;
  /** The peer of its slot that must be sent first; null: none. */
  readonly behind: number | null;
}

/** Where a waiting submission stands; null when it doesn't wait. */
export async function queuePlace(
  ledger: Ledger,
  environment: string,
  submissionId: number,
): Promise<QueuePlace | null> {
  const candidate = await waitingById(ledger, submissionId);
  if (!candidate) return null;
  const counted = await first(
    ledger,
    waitingCount(environment).where(
      sql<boolean>`(priority > ${candidate.priority} or (priority = ${candidate.priority}
          and (drop_id, line, submission_id) < (${candidate.dropId}, ${candidate.line}, ${submissionId})))`,
    ),
  );
  return { before: counted?.count ?? 0, behind: behind(await slotAt(ledger, candidate), candidate) };
}

function waitingCount(environment: string) {
  return query
    .selectFrom('submission')
    .select(sql<number>`count(*)`.as('count'))
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
  const waiting = waitingCount(environment).where(isChosen(chosenBy));
  const counted = await first(
    ledger,
    ofOperation === null
      ? waiting
      : waiting.where(
          'operation_id',
          'in',
          query.selectFrom('operation').select('operation_id').where('name', '=', ofOperation),
        ),
  );
  return counted?.count ?? 0;
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
