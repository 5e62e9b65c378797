import { type RawBuilder, sql } from 'kysely';
import type { Cause } from '../../domain/cause.js';
import type { IssueCode } from '../../domain/issue.js';
import type { RowRef } from '../../domain/row-ref.js';
import { ATTENTION_STATES, type State } from '../../domain/submission.js';
import { change, first, type Ledger, preparedQuery, query } from '../store/query.js';
import type { Tables } from '../store/schema.js';

export interface CountedState {
  /** `invalid`: an invalid row that no decision has resolved. */
  readonly state: State | 'invalid';
  /** The cause of a submission's state, or the issue under which an invalid row counts; '': none. */
  readonly cause: Cause | IssueCode | '';
  /** The code for people and selections: the platform's own code where it has one, else the cause. */
  readonly code: string;
}

export interface CountedRow extends RowRef {
  /** 0 for an invalid row. */
  readonly submissionId: number;
  readonly environmentId: number;
  /** 0: it is about no learner, or is an invalid row. */
  readonly learnerId: number;
}

export function countedState(state: State, cause: Cause | null, platformCode: string | null): CountedState {
  return { state, cause: cause ?? '', code: platformCode ?? cause ?? '' };
}

export const OPEN_STATES = ['invalid', ...ATTENTION_STATES] as const;

export function isOpen({ state }: Pick<CountedState, 'state'>): boolean {
  return OPEN_STATES.some((one) => one === state);
}

/** The counters of published drops that are not 0, as `n`, with their drops as `d`. */
export function published() {
  return query
    .selectFrom('counter as n')
    .innerJoin('drop_file as d', 'd.drop_id', 'n.drop_id')
    .where('d.state', '=', sql.lit('published'))
    .where('n.count', '>', 0);
}

/**
 * Counts a submission or an invalid row, and creates its open item where it needs attention. Call it in the
 * transaction that changes the state, after `leaveState` for the earlier one.
 */
export async function enterState(ledger: Ledger, row: CountedRow, state: CountedState): Promise<void> {
  await countMore(ledger, row, state, 1);
  if (!isOpen(state)) return;
  const { dropId, line, submissionId, environmentId, learnerId } = row;
  const about = { submission_id: submissionId, environment_id: environmentId, learner_id: learnerId };
  const item = { drop_id: dropId, line, ...about, ...state };
  await ledger.db.insertInto('open_item').values(item).execute();
}

/** Removes a submission from its counter, and deletes its open item. */
export async function leaveState(
  ledger: Ledger,
  row: RowRef & Pick<CountedRow, 'submissionId'>,
  before: CountedState,
): Promise<void> {
  await countLess(ledger, row, before);
  if (!isOpen(before)) return;
  const item = ledger.db.deleteFrom('open_item').where('submission_id', '=', row.submissionId);
  await item.where(isAt(row)).execute();
}

export function isAt({ dropId, line }: RowRef): RawBuilder<boolean> {
  return sql<boolean>`drop_id = ${dropId} and line = ${line}`;
}

/**
 * Closes open invalid rows: they no longer need attention. Call it for each inserted row of `resolution`.
 * @param isClosed a condition on `open_item`: `isAt`, or one that all rows of a decision match.
 */
export async function closeInvalid(ledger: Ledger, isClosed: RawBuilder<boolean>): Promise<void> {
  const groups = await ledger.db
    .selectFrom('open_item')
    .select(['drop_id as dropId', 'cause', 'code', sql<number>`count(*)`.as('count')])
    .where('submission_id', '=', 0)
    .where(isClosed)
    .groupBy(['drop_id', 'cause', 'code'])
    .execute();
  for (const { dropId, cause, code, count } of groups) {
    await countLess(ledger, { dropId }, { state: 'invalid', cause: cause as IssueCode, code }, count);
  }
  await ledger.db.deleteFrom('open_item').where('submission_id', '=', 0).where(isClosed).execute();
}

export async function isInvalidOpen(ledger: Ledger, row: RowRef): Promise<boolean> {
  const item = query.selectFrom('open_item').select('line').where('submission_id', '=', 0).where(isAt(row));
  return (await first(ledger, item)) !== undefined;
}

export async function countMore(
  ledger: Ledger,
  { dropId, environmentId }: Pick<CountedRow, 'dropId' | 'environmentId'>,
  { state, cause, code }: CountedState,
  by: number,
): Promise<void> {
  const counted = { drop_id: dropId, environment_id: environmentId, state, cause, code, count: by };
  await change(ledger, COUNTED(counted));
}

const COUNTED = preparedQuery((counted: Tables['counter']) =>
  query
    .insertInto('counter')
    .values(counted)
    .onConflict((conflict) =>
      conflict
        .columns(['drop_id', 'state', 'cause', 'code'])
        .doUpdateSet({ count: sql<number>`counter.count + excluded.count` }),
    ),
);

/** Subtracts from a counter. Throws where there is no such counter: the counters would no longer equal the rows. */
async function countLess(
  ledger: Ledger,
  { dropId }: Pick<CountedRow, 'dropId'>,
  { state, cause, code }: CountedState,
  by = 1,
): Promise<void> {
  const changes = await change(
    ledger,
    query
      .updateTable('counter')
      .set({ count: sql<number>`count - ${by}` })
      .where('drop_id', '=', dropId)
      .where('state', '=', state)
      .where('cause', '=', cause)
      .where('code', '=', code),
  );
  if (changes !== 1) throw new Error(`no counter of drop ${dropId} for ${state} ${cause} ${code}`);
}

/** @param submissionId the submission that it became or repeats; null: it was dismissed, skipped or forgotten. */
export async function resolveInvalid(
  ledger: Ledger,
  { dropId, line }: RowRef,
  decisionId: number,
  submissionId: number | null,
): Promise<void> {
  await ledger.db
    .insertInto('resolution')
    .values({ drop_id: dropId, line, decision_id: decisionId, submission_id: submissionId })
    .execute();
  await closeInvalid(ledger, isAt({ dropId, line }));
}
