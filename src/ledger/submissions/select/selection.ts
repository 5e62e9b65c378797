import { type RawBuilder, sql } from 'kysely';
import { isoFromMs } from '../../../domain/clock.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { SelectableState } from '../../../domain/selection.js';
import { ATTENTION_STATES, type State } from '../../../domain/submission.js';
import { causeCode, unresolved } from '../../books/attention.js';
import { runsOf } from '../../books/books.js';
import { fileNamed } from '../../drops/drops.js';
import { all, beginsLike, boundLimit, bytes, change, first, type Ledger, query } from '../../store/query.js';
import { LEARNER_DIGITS } from '../record/keys.js';

/**
 * Which published submissions and invalid rows are meant, with all that a person named looked up; what is left out doesn't
 * narrow.
 */
export interface RowFilter {
  /** With `invalid`: rows that became no record and that no decision has dealt with. */
  readonly states: readonly SelectableState[];
  /** A code as reports show it: learner-unknown, out-of-order, bad-request, …; of an invalid row one of its issues. */
  readonly cause?: string | null | undefined;
  readonly fileName?: string | null | undefined;
  readonly runId?: number | null | undefined;
  /** ISO times: from the one on and before the other its drop was published. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** Of submissions: hashes of the learner under each identifier type it may have. */
  readonly learners?: readonly string[] | null | undefined;
  /** Of submissions. */
  readonly content?: string | null | undefined;
  /** These submissions and no others. */
  readonly submissionIds?: readonly number[] | null | undefined;
  /** These invalid rows and no others. Needed for any where learners, content or submissions narrow. */
  readonly rowRefs?: readonly RowRef[] | null | undefined;
  /** Only what has been as it is since then. */
  readonly asOf?: Moment | undefined;
}

/** How far the ledger had come. */
export interface Moment {
  readonly transitionId: number;
  readonly submissionId: number;
  /** ISO time. */
  readonly at: string;
}

/** One row that fits. */
export type Selected = SelectedSubmission | SelectedRow;

/** A submission that fits. */
export interface SelectedSubmission extends RowRef {
  readonly submissionId: number;
  readonly state: State;
  /** What people select it by. */
  readonly code: string;
  readonly environment: string;
  readonly file: string;
}

/** A row that became no record, and fits. */
export interface SelectedRow extends RowRef {
  readonly submissionId: null;
  readonly state: 'invalid';
  /** The codes of its issues. */
  readonly code: string;
  readonly environment: string;
  readonly file: string;
}

/** How many rows fit, each counted once. */
export interface SelectedCount {
  readonly total: number;
  /** By what they have in common, most rows first. */
  readonly groups: readonly (Pick<Selected, 'state' | 'code' | 'environment'> & { readonly rows: number })[];
}

/** How far the ledger has come. */
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

/** Counts the rows that fit, in one pass over them. */
export async function countSelected(ledger: Ledger, filter: RowFilter): Promise<SelectedCount> {
  const groups: SelectedCount['groups'][number][] = [];
  const counted = sql<number>`count(*)`.as('rows');
  if (statesOf(filter).length > 0) {
    const submissions = (await submissionsOf(ledger, filter))
      .select(['s.state', causeCode.as('code'), 's.environment', counted])
      .groupBy(['s.state', sql`2`, 's.environment']);
    groups.push(...(await all(ledger, submissions)));
  }
  if (filter.states.includes('invalid')) {
    const rows = invalidRowsOf(filter)
      .select([INVALID, issueCodes.as('code'), 'd.environment', counted])
      .groupBy([sql`2`, 'd.environment']);
    groups.push(...(await all(ledger, rows)));
  }
  groups.sort((a, b) => b.rows - a.rows || a.code.localeCompare(b.code));
  return { total: groups.reduce((sum, { rows }) => sum + rows, 0), groups };
}

/**
 * The first rows that fit behind another one: state by state, submissions by number and invalid rows by place. However many
 * fit, to read them page by page is to go through them once.
 * @param after the last of the page before; null: from the beginning.
 */
export async function selectedPage(
  ledger: Ledger,
  filter: RowFilter,
  after: Selected | null,
  size: number,
): Promise<readonly Selected[]> {
  const page: Selected[] = [];
  const first = after === null ? 0 : filter.states.indexOf(after.state);
  for (const state of filter.states.slice(first)) {
    const last = after?.state === state ? after : null;
    const left = size - page.length;
    if (left === 0) break;
    if (state === 'invalid') page.push(...(await invalidPage(ledger, filter, last ?? NO_ROW, left)));
    else page.push(...(await submissionsPage(ledger, filter, state, last?.submissionId ?? 0, left)));
  }
  return page;
}

const NO_ROW: RowRef = { dropId: 0, line: 0 };

/** All rows that fit, a page at a time. */
export async function* selectedPages(
  ledger: Ledger,
  filter: RowFilter,
  size = PAGE,
): AsyncGenerator<readonly Selected[], void, undefined> {
  for (let after: Selected | null = null; ; ) {
    const page: readonly Selected[] = await selectedPage(ledger, filter, after, size);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    after = page.at(-1) ?? null;
  }
}

/** Some milliseconds' worth. */
const PAGE = 1_000;

/**
 * Lists the submissions that fit as those of a decision, and records that it has dealt with the invalid rows that fit. Call in
 * the transaction that records the decision.
 */
export async function listSelected(ledger: Ledger, decisionId: number, filter: RowFilter): Promise<void> {
  const decision = sql.lit(decisionId);
  if (statesOf(filter).length > 0) {
    const submissions = (await submissionsOf(ledger, filter)).select([
      decision.as('decision_id'),
      's.submission_id',
    ]);
    await change(
      ledger,
      query
        .insertInto('decision_submission')
        .columns(['decision_id', 'submission_id'])
        .expression(submissions),
    );
  }
  if (filter.states.includes('invalid')) {
    const rows = invalidRowsOf(filter).select(['r.drop_id', 'r.line', decision.as('decision_id')]);
    await change(
      ledger,
      query.insertInto('resolution').columns(['drop_id', 'line', 'decision_id']).expression(rows),
    );
  }
}

const INVALID = sql<'invalid'>`'invalid'`.as('state');

/** Of `row as r`: the codes of its issues, in the order in which they were found. */
const issueCodes = sql<string>`coalesce((select group_concat(code, '; ') from (
  select i.code from issue i where i.drop_id = r.drop_id and i.line = r.line order by i.ordinal)), 'unknown')`;

function statesOf({ states }: RowFilter): readonly State[] {
  return states.filter((state) => state !== 'invalid');
}

async function submissionsOf(ledger: Ledger, filter: RowFilter) {
  return query
    .selectFrom('submission_in_words as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .where(inStates(statesOf(filter), filter))
    .where(await submissionFits(ledger, filter));
}

/** By number. */
async function submissionsPage(
  ledger: Ledger,
  filter: RowFilter,
  state: State,
  after: number,
  size: number,
): Promise<SelectedSubmission[]> {
  return all(
    ledger,
    query
      .selectFrom('submission_in_words as s')
      // Not reordered: to begin with the drop would be to sort all it has for each page.
      .crossJoin('drop_file as d')
      .select([
        's.submission_id as submissionId',
        's.state',
        causeCode.as('code'),
        's.environment',
        's.drop_id as dropId',
        'd.file_name as file',
        's.line',
      ])
      .whereRef('d.drop_id', '=', 's.drop_id')
      .where('s.submission_id', '>', after)
      .where(inStates([state], filter))
      .where(await submissionFits(ledger, filter))
      .orderBy('s.submission_id')
      .limit(boundLimit(size)),
  );
}

/**
 * Of `submission as s`. In letters and with "or", as in the index of what needs somebody, so that SQLite sees that it
 * serves; the column hidden where an index of another column is the better one: many others may be in these states.
 */
function inStates(states: readonly State[], { learners, submissionIds }: RowFilter): RawBuilder<boolean> {
  const isFew = isGiven(learners) || isGiven(submissionIds);
  const isOf = (state: State) =>
    sql`${isFew || !isIndexed(state) ? sql`+s.state` : sql`s.state`} = ${sql.lit(state)}`;
  return states.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(states.map(isOf), sql` or `)})`;
}

/** Condition on `submission as s`: the shape of its record says where the content's identifier stands in it. */
function isAboutContent(content: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from submission c join shape h on h.shape_id = c.shape_id
    where c.submission_id = s.submission_id and json_valid(c.record)
      and c.record ->> ('$[' || h.content_place || ']') = ${content})`;
}

function isIndexed(state: State): boolean {
  return ATTENTION_STATES.some((one) => one === state);
}

/** Condition on `submission as s` and its `drop as d`, but for the states. */
async function submissionFits(ledger: Ledger, filter: RowFilter): Promise<RawBuilder<boolean>> {
  const { cause, content, learners, runId, submissionIds, asOf } = filter;
  return both([
    ...dropFits(filter),
    ...(isGiven(cause) ? [hasCause(cause)] : []),
    ...(isGiven(learners) ? [isAbout(learners)] : []),
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

/** Of `submission as s`: the code that reports show is this one, or the platform's code has it for a cause. */
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

function isAbout(learners: readonly string[]): RawBuilder<boolean> {
  const conditions = learners.map(
    (hash) => sql<boolean>`(${beginsLike('s.key', bytes(hash), LEARNER_DIGITS)})`,
  );
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function invalidRowsOf(filter: RowFilter) {
  return query
    .selectFrom('row as r')
    .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
    .where('d.invalid', '>', 0)
    .where(invalidRowFits(filter));
}

/** By place: first what is left of the drop of the one before, then the drops behind it. */
async function invalidPage(
  ledger: Ledger,
  filter: RowFilter,
  after: RowRef,
  size: number,
): Promise<SelectedRow[]> {
  const rows = query
    .selectFrom('drop_file as d')
    // Not reordered, so that nothing is sorted: drops by number, and the rows of each by line.
    .crossJoin('row as r')
    .select([
      sql<null>`null`.as('submissionId'),
      INVALID,
      issueCodes.as('code'),
      'd.environment',
      'd.drop_id as dropId',
      'd.file_name as file',
      'r.line',
    ])
    .whereRef('r.drop_id', '=', 'd.drop_id')
    .where('d.invalid', '>', 0)
    .where(invalidRowFits(filter))
    .orderBy('d.drop_id')
    .orderBy('r.line');
  const here = await all(
    ledger,
    rows.where('d.drop_id', '=', after.dropId).where('r.line', '>', after.line).limit(boundLimit(size)),
  );
  if (here.length === size) return here;
  return [
    ...here,
    ...(await all(ledger, rows.where('d.drop_id', '>', after.dropId).limit(boundLimit(size - here.length)))),
  ];
}

/** Condition on `row as r` and its `drop as d`. */
function invalidRowFits(filter: RowFilter): RawBuilder<boolean> {
  const { cause, runId, learners, content, submissionIds } = filter;
  const isNarrowed = [learners, content, submissionIds].some(isGiven);
  const rowRefs = filter.rowRefs ?? (isNarrowed ? [] : null);
  return both([
    sql<boolean>`r.disposition = 'invalid'`,
    unresolved,
    ...dropFits(filter),
    ...(isGiven(cause)
      ? [
          sql<boolean>`exists (select 1 from issue i
            where i.drop_id = r.drop_id and i.line = r.line and i.code = ${cause})`,
        ]
      : []),
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
