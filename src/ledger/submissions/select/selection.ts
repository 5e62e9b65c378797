import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { MatchingRow } from '../../../documents/decisions.js';
import { isoFromMs } from '../../../domain/clock.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { SelectableState, Selection } from '../../../domain/selection.js';
import type { State } from '../../../domain/submission.js';
import { publishedIn } from '../../drops/report-selection.js';
import { runsOf } from '../../leases/runs.js';
import { areAmong, isAmong } from '../../store/dialect.js';
import { pagesAfter } from '../../store/pages.js';
import { boundLimit, count, type Ledger, query, writing } from '../../store/query.js';
import { causeCode } from '../columns.js';
import { closeInvalid, isOpen } from '../open-items.js';
import { isOneOf } from '../subjects.js';

/** Published submissions and unresolved invalid rows, with names looked up. Absent or null doesn't filter. */
export interface RowFilter
  extends Pick<Selection, 'states'>,
    Partial<Pick<Selection, 'cause' | 'content' | 'file' | 'run' | 'since' | 'until'>> {
  /** For submissions: the hashes of the learner, one for each type of identifier. */
  readonly learners?: readonly string[] | null;
  readonly submissionIds?: readonly number[] | null;
  /** Only these invalid rows. Without it, a filter by learners, content or submissions excludes invalid rows. */
  readonly rowRefs?: readonly RowRef[] | null;
  /** Only rows that haven't moved since then. */
  readonly asOf?: Moment | undefined;
}

/** A matching row; `submissionId` is null for an invalid row. */
export interface SelectedRow extends MatchingRow {
  readonly submissionId: number | null;
  readonly state: State | 'invalid';
}

/** The place of a row in lists: by drop, by line, and an invalid row before the submissions from the same line. */
export interface RowPlace extends RowRef {
  /** 0 for an invalid row. */
  readonly submissionId: number;
}

export interface ListedPlace extends RowPlace {
  readonly state: SelectableState;
}

/** The number of matching rows, each counted once. */
export type SelectedCount = Awaited<ReturnType<typeof countSelected>>;

/**
 * Counts the matching rows in one pass, also by state, code and environment, the largest count first.
 * @returns `which`: a fingerprint of the matching rows and their states, 16 hex digits.
 */
export async function countSelected(ledger: Ledger, filter: RowFilter) {
  const counted = await ledger.db
    .selectFrom(matching(filter).as('s'))
    .innerJoin('environment as e', 'e.environment_id', 's.environmentId')
    .select(['s.state', 's.code', 'e.name as environment', sql<number>`count(*)`.as('rows')])
    // Sums over the numbers of rows, which other rows are unlikely to share; neither overflows an integer.
    .select(
      sql<string>`sum(s.submission_id) || '.' || sum(s.drop_id * 1000003 + s.line) || '.'
          || sum((s.submission_id % 65521) * (s.submission_id % 65521) + s.line % 65521)`.as('ids'),
    )
    .groupBy(['s.state', 's.code', 'e.name'])
    .execute();
  counted.sort((a, b) => b.rows - a.rows || a.code.localeCompare(b.code));
  const groups = counted.map(({ ids: _, ...group }) => group);
  const which = counted.map(({ state, code, environment, ids }) => [state, code, environment, ids].join(' '));
  return {
    total: groups.reduce((sum, { rows }) => sum + rows, 0),
    groups,
    which: hash('sha256', which.sort().join('\n')).slice(0, 16),
  };
}

/** Counts the matching rows; null: counting them would take too long. */
export async function countListed(ledger: Ledger, filter: RowFilter): Promise<number | null> {
  const isFew = filter.learners != null || filter.submissionIds != null;
  if (!isFew && filter.states.some((state) => !isOpen({ state }))) return null;
  return count(ledger, query.selectFrom(matching(filter).as('s')));
}

export function placeOf({ drop, line, submissionId, state }: SelectedRow): ListedPlace {
  return { dropId: drop, line, submissionId: submissionId ?? 0, state };
}

export interface PageQuery {
  /** The place after which it begins; null: the first page. */
  readonly after: RowPlace | null;
  readonly limit: number;
  readonly direction: 'asc' | 'desc';
}

/** Reads a page in the order of drops and lines. Reading all pages reads each row once, however many match. */
export async function selectedPage(
  ledger: Ledger,
  filter: RowFilter,
  { after, limit, direction }: PageQuery,
): Promise<readonly SelectedRow[]> {
  const page = matching(filter, { after, direction })
    .orderBy('drop_id', direction)
    .orderBy('line', direction)
    .orderBy('submission_id', direction)
    .limit(boundLimit(limit));
  const rows = await ledger.db
    .selectFrom(page.as('s'))
    .innerJoin('environment as e', 'e.environment_id', 's.environmentId')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.submission_id as submissionId', 's.state', 's.code', 'e.name as environment'])
    .select(['s.drop_id as drop', 'd.file_name as file', 's.line'])
    .orderBy('s.drop_id', direction)
    .orderBy('s.line', direction)
    .orderBy('s.submission_id', direction)
    .execute();
  return rows.map((row) => (row.state === 'invalid' ? { ...row, submissionId: null } : row));
}

export function selectedPages(ledger: Ledger, filter: RowFilter) {
  return pagesAfter((last: SelectedRow | null) =>
    selectedPage(ledger, filter, { after: last && placeOf(last), limit: PAGE, direction: 'asc' }),
  );
}

/** Rows per page: they take a few milliseconds. */
const PAGE = 1_000;

/** Lists the submissions with a decision, and resolves the invalid rows. Call it in the decision's transaction. */
export async function listSelected(ledger: Ledger, decisionId: number, filter: RowFilter): Promise<void> {
  const decision = sql.lit(decisionId);
  const of = (states: readonly SelectableState[]) =>
    query.selectFrom(matching({ ...filter, states }).as('s'));
  const submissions = filter.states.filter((state) => state !== 'invalid');
  if (submissions.length > 0) {
    await ledger.db
      .insertInto('decision_submission')
      .columns(['decision_id', 'submission_id'])
      .expression(of(submissions).select([decision.as('decision_id'), 's.submission_id']))
      .execute();
  }
  if (filter.states.includes('invalid')) {
    const rows = of(['invalid']).select(['s.drop_id', 's.line', decision.as('decision_id')]);
    await ledger.db
      .insertInto('resolution')
      .columns(['drop_id', 'line', 'decision_id'])
      .expression(rows)
      .execute();
    const isListed = sql<boolean>`(drop_id, line) in (
      select z.drop_id, z.line from resolution z where z.decision_id = ${decisionId})`;
    await closeInvalid(ledger, isListed);
  }
}

/** The states of a separate index. */
const CLOSED: readonly SelectableState[] = ['dismissed', 'replaced'];

/** The matching rows, as a union of parts that each have an index in the order of drops and lines. */
function matching(filter: RowFilter, from?: Omit<PageQuery, 'limit'>) {
  const { states } = filter;
  const others = states.filter((state) => !isOpen({ state }) && !CLOSED.includes(state));
  const closed = states.filter((state) => CLOSED.includes(state));
  const matches = submissionMatches(filter);
  const parts = [closed, others].filter((part) => part.length > 0);
  return parts.reduce(
    (rows, part) => rows.unionAll(submissions(matches, filter, part, from)),
    openItems(matches, filter, from),
  );
}

function openItems(matches: RawBuilder<boolean>, filter: RowFilter, from?: Omit<PageQuery, 'limit'>) {
  const states = filter.states.filter((state) => isOpen({ state }));
  return query
    .selectFrom('open_item as s')
    .select(['s.drop_id', 's.line', 's.submission_id', 's.environment_id as environmentId'])
    .select([sql<SelectableState>`s.state`.as('state'), 's.code'])
    .where(
      states.length === 0
        ? sql<boolean>`false`
        : sql<boolean>`s.state in (${sql.join(states.map((state) => sql.lit(state)))})`,
    )
    .where(isOfCause(filter, 's.cause', 's.code'))
    .where(ofDrops(filter))
    .where(
      sql<boolean>`(s.submission_id = 0 and ${invalidRowMatches(filter)} or s.submission_id <> 0 and ${matches})`,
    )
    .where(isAfterCursor(from));
}

function submissions(
  matches: RawBuilder<boolean>,
  filter: RowFilter,
  states: readonly SelectableState[],
  from?: Omit<PageQuery, 'limit'>,
) {
  return query
    .selectFrom('submission as s')
    .select(['s.drop_id', 's.line', 's.submission_id', 's.environment_id as environmentId'])
    .select([sql<SelectableState>`s.state`.as('state')])
    .select(causeCode.as('code'))
    .where(
      sql<boolean>`(${sql.join(
        states.map((state) => sql`s.state = ${sql.lit(state)}`),
        sql` or `,
      )})`,
    )
    .where(isOfCause(filter, 's.cause', 's.platform_code'))
    .where(ofDrops(filter))
    .where(matches)
    .where(isAfterCursor(from));
}

/** Condition: one of the columns, with a cause and a code, has the requested cause. */
function isOfCause({ cause }: RowFilter, ...columns: readonly [string, string]) {
  if (cause == null) return sql<boolean>`true`;
  const [one, other] = columns;
  return sql<boolean>`(${sql.ref(one)} = ${cause} or ${sql.ref(other)} = ${cause})`;
}

function ofDrops(filter: RowFilter) {
  return sql<boolean>`s.drop_id in (select d.drop_id from drop_file d where ${dropMatches(filter)})`;
}

function dropMatches({ file, since, until, asOf }: RowFilter): RawBuilder<boolean> {
  const picked = { fileName: file ?? undefined, since: since ?? undefined, until: until ?? undefined };
  return every([publishedIn(picked), isGiven(asOf) && sql<boolean>`d.published_at <= ${asOf.at}`]);
}

/** Condition on `submission as s` or on its `open_item as s`: it matches, apart from state, cause and drop. */
function submissionMatches(filter: RowFilter): RawBuilder<boolean> {
  const { content, learners, run, submissionIds, asOf } = filter;
  return every([
    isGiven(learners) && isOneOf('s.learner_id', learners),
    isGiven(content) &&
      sql<boolean>`exists (select 1 from submission o join content c on c.content_id = o.content_id
        where o.submission_id = s.submission_id and c.identifier = ${content})`,
    isGiven(run) &&
      sql<boolean>`(${isOfRun(run)} or exists (select 1 from transition t
        where t.submission_id = s.submission_id and t.run_id in ${runsOf(run)}))`,
    isGiven(submissionIds) && isAmong('s.submission_id', submissionIds),
    isGiven(asOf) &&
      sql<boolean>`s.submission_id <= ${asOf.submissionId} and not exists (select 1 from transition t
        where t.submission_id = s.submission_id and t.transition_id > ${asOf.transitionId})`,
  ]);
}

/** Condition on `open_item as s` of an invalid row: it matches the filter, apart from cause and drop. */
function invalidRowMatches(filter: RowFilter): RawBuilder<boolean> {
  const { run, learners, content, submissionIds } = filter;
  const isNarrowed = [learners, content, submissionIds].some(isGiven);
  const rowRefs = filter.rowRefs ?? (isNarrowed ? [] : null);
  const places = rowRefs?.map(({ dropId, line }) => [dropId, line] as const);
  return every([isGiven(run) && isOfRun(run), isGiven(places) && areAmong(['s.drop_id', 's.line'], places)]);
}

function isOfRun(runId: number): RawBuilder<boolean> {
  return sql<boolean>`s.drop_id in (select drop_id from drop_file where run_id in ${runsOf(runId)})`;
}

/** All of the conditions; a false is ignored. */
export function every(optional: readonly (RawBuilder<boolean> | false)[]): RawBuilder<boolean> {
  const conditions = optional.filter((condition) => condition !== false);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

export type Moment = Awaited<ReturnType<typeof momentOf>>;

/** The present point in the ledger's history; `at`: ISO time. */
export async function momentOf(ledger: Ledger) {
  const latest = await ledger.db
    .selectNoFrom([
      sql<number>`coalesce((select max(transition_id) from transition), 0)`.as('transitionId'),
      sql<number>`coalesce((select max(submission_id) from submission), 0)`.as('submissionId'),
    ])
    .executeTakeFirstOrThrow();
  return { ...latest, at: isoFromMs(ledger.clock.nowMs()) };
}

/** The same, after all earlier transitions are committed: in a database, transactions of lanes end in any order. */
export async function settledMoment(ledger: Ledger): Promise<Moment> {
  return ledger.inLane === undefined ? momentOf(ledger) : writing(ledger, momentOf);
}

function isAfterCursor(from: Omit<PageQuery, 'limit'> | undefined) {
  if (from === undefined || from.after === null) return sql<boolean>`true`;
  const { dropId, line, submissionId } = from.after;
  return sql<boolean>`(s.drop_id, s.line, s.submission_id) ${sql.raw(from.direction === 'asc' ? '>' : '<')}
    (${dropId}, ${line}, ${submissionId})`;
}
