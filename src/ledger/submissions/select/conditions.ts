import { type RawBuilder, sql } from 'kysely';
import { isoFromMs } from '../../../domain/clock.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { SelectableState } from '../../../domain/selection.js';
import { ATTENTION_STATES, type State } from '../../../domain/submission.js';
import { runsOf } from '../../books/books.js';
import { leadingCode, unresolved } from '../../books/rows/attention.js';
import { fileNamed } from '../../drops/drops.js';
import { first, type Ledger, query } from '../../store/query.js';
import { isOneOf } from '../subjects.js';

/**
 * A selection of published submissions and invalid rows, with all names in it looked up. A field that is left out doesn't narrow
 * it.
 */
export interface RowFilter {
  /** `invalid` stands for rows that became no record and that no decision has resolved. */
  readonly states: readonly SelectableState[];
  /**
   * A code as reports show it: a submission's cause or platform code (learner-unknown, out-of-order, bad-request, …), or the
   * issue code under which an invalid row counts.
   */
  readonly cause?: string | null | undefined;
  readonly fileName?: string | null | undefined;
  readonly runId?: number | null | undefined;
  /** ISO times: the row's drop was published at or after `since`, and before `until`. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** For submissions: hashes of the learner under each identifier type it may have. */
  readonly learners?: readonly string[] | null | undefined;
  /** For submissions. */
  readonly content?: string | null | undefined;
  /** These submissions and no others. */
  readonly submissionIds?: readonly number[] | null | undefined;
  /**
   * These invalid rows and no others. Without it, a selection that narrows by learners, content or submissions has no invalid
   * rows.
   */
  readonly rowRefs?: readonly RowRef[] | null | undefined;
  /** Only rows that haven't changed since then. */
  readonly asOf?: Moment | undefined;
}

/**
 * For `submission as s`. As literals and with "or", as in the index of rows that need attention, so that SQLite uses it. A plus
 * hides the column where an index of another column is better: many other rows may be in these states.
 */
export function inStates(
  states: readonly State[],
  { learners, submissionIds }: RowFilter,
): RawBuilder<boolean> {
  const isFew = isGiven(learners) || isGiven(submissionIds);
  const isOf = (state: State) =>
    sql`${isFew || !isIndexed(state) ? sql`+s.state` : sql`s.state`} = ${sql.lit(state)}`;
  return states.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(states.map(isOf), sql` or `)})`;
}

/** Condition on `submission as s`: its record is about the content with this identifier. */
export function isAboutContent(content: string): RawBuilder<boolean> {
  return sql<boolean>`(select o.content_id from submission o where o.submission_id = s.submission_id) in (
    select c.content_id from content c where c.identifier = ${content})`;
}

function isIndexed(state: State): boolean {
  return ATTENTION_STATES.some((one) => one === state);
}

/** Condition on `submission as s` and its `drop as d`, but for the states. */
export async function submissionFits(ledger: Ledger, filter: RowFilter): Promise<RawBuilder<boolean>> {
  const { cause, content, learners, runId, submissionIds, asOf } = filter;
  return both([
    ...dropFits(filter),
    ...(isGiven(cause) ? [hasCause(cause)] : []),
    ...(isGiven(learners) ? [isOneOf('s.learner_id', learners)] : []),
    ...(isGiven(content) ? [isAboutContent(content)] : []),
    ...(isGiven(runId)
      ? [
          sql<boolean>`(d.run_id in ${runsOf(runId)} or exists (select 1 from transition t
            where t.submission_id = s.submission_id and t.run_id in ${runsOf(runId)}))`,
        ]
      : []),
    ...(isGiven(submissionIds)
      ? [sql<boolean>`s.submission_id in (select value from json_each(${JSON.stringify(submissionIds)}))`]
      : []),
    ...(asOf === undefined ? [] : [await isUnmovedSince(ledger, asOf)]),
  ]);
}

/** For `submission as s`: reports show it under this code, or its platform code belongs to this cause. */
function hasCause(cause: string): RawBuilder<boolean> {
  return sql<boolean>`(s.platform_code = ${cause} or s.cause = ${cause})`;
}

async function isUnmovedSince(
  ledger: Ledger,
  { transitionId, submissionId }: Moment,
): Promise<RawBuilder<boolean>> {
  const now = await momentOf(ledger);
  return both([
    ...(now.transitionId === transitionId
      ? []
      : [
          sql<boolean>`not exists (select 1 from transition t
            where t.submission_id = s.submission_id and t.transition_id > ${transitionId})`,
        ]),
    ...(now.submissionId === submissionId ? [] : [sql<boolean>`s.submission_id <= ${submissionId}`]),
  ]);
}

/** Condition on `row as r` and its `drop as d`. */
export function invalidRowFits(filter: RowFilter): RawBuilder<boolean> {
  const { cause, runId, learners, content, submissionIds } = filter;
  const isNarrowed = [learners, content, submissionIds].some(isGiven);
  const rowRefs = filter.rowRefs ?? (isNarrowed ? [] : null);
  return both([
    sql<boolean>`r.disposition = 'invalid'`,
    unresolved,
    ...dropFits(filter),
    ...(isGiven(cause) ? [sql<boolean>`${leadingCode} = ${cause}`] : []),
    ...(isGiven(runId) ? [sql<boolean>`d.run_id in ${runsOf(runId)}`] : []),
    ...(rowRefs === null
      ? []
      : [
          sql<boolean>`(r.drop_id, r.line) in (select value ->> 0, value ->> 1 from json_each(${JSON.stringify(
            rowRefs.map(({ dropId, line }) => [dropId, line]),
          )}))`,
        ]),
  ]);
}

/** Conditions on `drop as d` that submissions and invalid rows have in common. */
function dropFits({ fileName, since, until, asOf }: RowFilter): RawBuilder<boolean>[] {
  return [
    sql<boolean>`d.state = 'published'`,
    ...(isGiven(fileName) ? [fileNamed(fileName)] : []),
    ...(isGiven(since) ? [sql<boolean>`d.published_at >= ${since}`] : []),
    ...(isGiven(until) ? [sql<boolean>`d.published_at < ${until}`] : []),
    ...(asOf === undefined ? [] : [sql<boolean>`d.published_at <= ${asOf.at}`]),
  ];
}

function both(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** A point in the ledger's history. */
export interface Moment {
  readonly transitionId: number;
  readonly submissionId: number;
  /** ISO time. */
  readonly at: string;
}

/** The present point in the ledger's history. */
export async function momentOf(ledger: Ledger): Promise<Moment> {
  const latest = await first(
    ledger,
    query.selectNoFrom([
      sql<number>`coalesce((select max(transition_id) from transition), 0)`.as('transitionId'),
      sql<number>`coalesce((select max(submission_id) from submission), 0)`.as('submissionId'),
    ]),
  );
  return { transitionId: 0, submissionId: 0, ...latest, at: isoFromMs(ledger.clock.nowMs()) };
}
