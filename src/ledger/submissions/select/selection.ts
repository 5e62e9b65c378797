import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import { causeCode, leadingCode } from '../../books/rows/attention.js';
import { all, boundLimit, change, type Ledger, query } from '../../store/query.js';
import { inStates, invalidRowFits, type RowFilter, submissionFits } from './conditions.js';

/** One matching row. */
export type Selected = SelectedSubmission | SelectedRow;

/** A matching submission. */
export interface SelectedSubmission extends RowRef {
  readonly submissionId: number;
  readonly state: State;
  /** The code by which people select it. */
  readonly code: string;
  readonly environment: string;
  readonly file: string;
}

/** A matching row that became no record. */
export interface SelectedRow extends RowRef {
  readonly submissionId: null;
  readonly state: 'invalid';
  /** The codes of its issues. */
  readonly code: string;
  readonly environment: string;
  readonly file: string;
}

/** The number of matching rows, each counted once. */
export interface SelectedCount {
  readonly total: number;
  /** Rows grouped by state, code and environment, most rows first. */
  readonly groups: readonly (Pick<Selected, 'state' | 'code' | 'environment'> & { readonly rows: number })[];
  /** Another text where other rows match, or the same ones in other states: 16 hex digits. */
  readonly which: string;
}

/** Counts the matching rows in one pass. */
export async function countSelected(ledger: Ledger, filter: RowFilter): Promise<SelectedCount> {
  const found: (SelectedCount['groups'][number] & { readonly ids: string })[] = [];
  const counted = sql<number>`count(*)`.as('rows');
  if (statesOf(filter).length > 0) {
    const submissions = (await submissionsOf(ledger, filter))
      .select(['s.state', causeCode.as('code'), 's.environment', counted, idsOf(sql`s.submission_id`)])
      .groupBy(['s.state', sql`2`, 's.environment']);
    found.push(...(await all(ledger, submissions)));
  }
  if (filter.states.includes('invalid')) {
    const rows = invalidRowsOf(filter)
      .select([
        INVALID,
        leadingCode.as('code'),
        'd.environment',
        counted,
        idsOf(sql`(r.drop_id * 1000003 + r.line)`),
      ])
      .groupBy([sql`2`, 'd.environment']);
    found.push(...(await all(ledger, rows)));
  }
  found.sort((a, b) => b.rows - a.rows || a.code.localeCompare(b.code));
  const groups = found.map(({ ids: _, ...group }) => group);
  const which = found.map(({ state, code, environment, ids }) => [state, code, environment, ids].join(' '));
  return {
    total: groups.reduce((sum, { rows }) => sum + rows, 0),
    groups,
    which: hash('sha256', which.sort().join('\n')).slice(0, 16),
  };
}

/** Two sums over the numbers of rows, which hardly any other rows share; neither outgrows an integer. */
function idsOf(id: RawBuilder<unknown>) {
  return sql<string>`sum(${id}) || '.' || sum((${id} % 65521) * (${id} % 65521))`.as('ids');
}

/**
 * The next page of matching rows after a given one: state by state, submissions by number and invalid rows by drop and line.
 * Reading all pages reads each row once, however many match.
 * @param after the last row of the page before; null: from the beginning.
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

/** All matching rows, a page at a time. */
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
 * Lists the matching submissions with a decision, and records that the decision has resolved the matching invalid rows. Call in
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

function statesOf({ states }: RowFilter): readonly State[] {
  return states.filter((state) => state !== 'invalid');
}

async function submissionsOf(ledger: Ledger, filter: RowFilter) {
  return query
    .selectFrom('submission_record as s')
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
      .selectFrom('submission_record as s')
      // A cross join fixes the order: beginning with the drop would sort all its rows for each page.
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

function invalidRowsOf(filter: RowFilter) {
  return query
    .selectFrom('row as r')
    .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
    .where('d.invalid', '>', 0)
    .where(invalidRowFits(filter));
}

/** By drop and line: first the rest of the previous row's drop, then the following drops. */
async function invalidPage(
  ledger: Ledger,
  filter: RowFilter,
  after: RowRef,
  size: number,
): Promise<SelectedRow[]> {
  const rows = query
    .selectFrom('drop_file as d')
    // A cross join fixes the order, so that nothing is sorted: drops by number, and the rows of each by line.
    .crossJoin('row as r')
    .select([
      sql<null>`null`.as('submissionId'),
      INVALID,
      leadingCode.as('code'),
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
