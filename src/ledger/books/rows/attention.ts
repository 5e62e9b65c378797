import { type RawBuilder, sql } from 'kysely';
import type { Cause, HeldCause } from '../../../domain/cause.js';
import type { IssueCode } from '../../../domain/issue.js';
import type { FieldValue } from '../../../domain/record.js';
import { type Cell, extraCells } from '../../../domain/row.js';
import type { State } from '../../../domain/submission.js';
import { publishedIn, type ReportSelection } from '../../drops/report-selection.js';
import { cellsIn } from '../../drops/rows/kept-rows.js';
import { issuesOf, type RowIssue } from '../../drops/rows/row-issues.js';
import { all, each, first, type Ledger, query } from '../../store/query.js';
import { causeCode, heldCause } from '../../submissions/columns.js';
import { submissionIn } from '../../submissions/in-selection.js';
import { fieldsIn } from '../../submissions/record/record-text.js';

/** Why rows need attention. */
export interface AttentionCause {
  /** `invalid`: rows that became no record. */
  readonly state: State | 'invalid';
  /** The code of the issue under which an invalid row counts, else the cause of the submissions. */
  readonly cause: Cause | IssueCode;
  /** What people see and select by: the platform's own code where it has one, else the cause. */
  readonly code: string;
}

/** A cause with the count of its rows, its drops, and the place of one example. */
export interface CauseCount extends AttentionCause {
  /** Rows; the sum over its drops. */
  readonly count: number;
  readonly example: { readonly file: string; readonly line: number };
  /** In the order in which they came in. */
  readonly drops: readonly CauseDrop[];
}

/** How many rows with a cause one drop has. */
export interface CauseDrop {
  readonly dropId: number;
  readonly file: string;
  readonly count: number;
}

/** Causes in the selection, most rows first. A row counts under one of them, so that the counts add up to the rows. */
export async function causesIn(ledger: Ledger, selection: ReportSelection): Promise<CauseCount[]> {
  const found = await all(
    ledger,
    openItemsIn(selection)
      .select([
        'o.state',
        sql<Cause | IssueCode>`o.cause`.as('cause'),
        'o.code',
        'd.drop_id as dropId',
        'd.file_name as file',
        sql<number>`count(*)`.as('count'),
        sql<number>`min(o.line)`.as('line'),
      ])
      .groupBy(['o.state', 'o.cause', 'o.code', 'd.drop_id', 'd.file_name'])
      .orderBy('d.drop_id'),
  );
  return together(found).sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

/** The open items of the selection, as `o`, each with its drop `d`. */
export function openItemsIn(selection: ReportSelection) {
  return query
    .selectFrom('open_item as o')
    .innerJoin('drop_file as d', 'd.drop_id', 'o.drop_id')
    .where(itemIn(selection));
}

/** Condition on `open_item as o` joined to `drop as d`. */
function itemIn(selection: ReportSelection) {
  if (selection.runId === undefined) return publishedIn(selection);
  return sql<boolean>`(o.submission_id = 0 and ${publishedIn(selection)}
    or o.submission_id <> 0 and ${submissionIn(selection, 'o')})`;
}

interface CountedInDrop extends AttentionCause, CauseDrop {
  /** The line of the first row. */
  readonly line: number;
}

/** Adds up one cause over its drops; the example is the first row of the first drop. */
function together(counted: readonly CountedInDrop[]): CauseCount[] {
  const causes = new Map<string, CauseCount & { readonly drops: CauseDrop[] }>();
  for (const { dropId, file, count, line, ...cause } of counted) {
    const name = JSON.stringify([cause.state, cause.cause, cause.code]);
    const known = causes.get(name) ?? { ...cause, count: 0, example: { file, line }, drops: [] };
    known.drops.push({ dropId, file, count });
    causes.set(name, { ...known, count: known.count + count });
  }
  return [...causes.values()];
}

/** One row that needs a person, as the attention file lists it. Personal. */
export interface AttentionRow {
  readonly dropId: number;
  readonly file: string;
  readonly line: number;
  /** null for a row that became no record. */
  readonly submissionId: number | null;
  readonly state: State | 'invalid';
  readonly heldReason: HeldCause | null;
  /** The submission's cause; null for a row that became no record: its issues say why. */
  readonly cause: Cause | null;
  readonly code: string;
  /** The platform's words or the issues' sentences. */
  readonly detail: string | null;
  readonly remedy: string | null;
  readonly status: number | null;
  readonly attempts: number;
  readonly errorId: string | null;
  /** The part of the record that the platform's refusal names. */
  readonly offending: string | null;
  /** What is or was to be sent; null for a row that became no record, and once erased. */
  readonly record: Readonly<Record<string, FieldValue>> | null;
  /** For an amended row, the record that the platform accepted last under its key; null for others, and once erased. */
  readonly accepted: Readonly<Record<string, FieldValue>> | null;
  /** The row as it was read; null once erased. */
  readonly cells: readonly Cell[] | null;
  /** Why it became no record, in the order in which that was found; value and sentence are null once erased. */
  readonly issues: readonly RowIssue[];
}

/** A drop's rows that need attention, in line order. */
export interface AttentionRows extends AsyncIterable<AttentionRow> {
  /** The most cells that any row of the drop has beyond its header, whether it still needs attention or not. */
  readonly extraCells: number;
}

/**
 * Streams a drop's rows that need attention, and gives in advance the width of a table of them; for a selection only its
 * submissions and published rows.
 */
export async function attentionRows(
  ledger: Ledger,
  dropId: number,
  selection: ReportSelection = {},
): Promise<AttentionRows> {
  const extraCells = await mostExtraCells(ledger, dropId);
  return { extraCells, [Symbol.asyncIterator]: () => rowsInNeed(ledger, dropId, selection) };
}

async function* rowsInNeed(
  ledger: Ledger,
  dropId: number,
  selection: ReportSelection,
): AsyncGenerator<AttentionRow, void, undefined> {
  const rows = await each(
    ledger,
    query
      .selectFrom(linesOf(dropId, selection).as('r'))
      .innerJoin('drop_file as d', (join) => join.on('d.drop_id', '=', dropId))
      .leftJoin('row as k', (join) => join.on('k.drop_id', '=', dropId).onRef('k.line', '=', 'r.line'))
      .leftJoin('submission_record as s', 's.submission_id', 'r.submission_id')
      .leftJoin('response as p', (join) => join.on('p.response_id', '=', lastResponse))
      .leftJoin('response_text as t', 't.response_id', 'p.response_id')
      .select([
        'd.drop_id as dropId',
        'd.file_name as file',
        'r.line',
        'k.cells as cellsText',
        's.submission_id as submissionId',
        sql<State | 'invalid'>`coalesce(s.state, 'invalid')`.as('state'),
        heldCause.as('heldReason'),
        's.cause',
        causeCode.as('shownCode'),
        sql<string | null>`coalesce(t.detail, p.reason)`.as('answer'),
        'p.status',
        sql<number>`(select count(*) from attempt_submission x where x.submission_id = s.submission_id)`.as(
          'attempts',
        ),
        'p.error_id as errorId',
        't.source as offending',
        's.told as recordText',
      ])
      .orderBy('r.line')
      .orderBy('r.submission_id'),
  );
  for await (const { shownCode, answer, recordText, cellsText, ...row } of rows) {
    const issues = row.submissionId === null ? await issuesOf(ledger, row.dropId, row.line) : [];
    const joined = (texts: readonly (string | null)[]) => {
      const there = texts.filter((text) => text !== null);
      return there.length === 0 ? null : there.join('; ');
    };
    yield {
      ...row,
      code: row.submissionId === null ? issues.map(({ code }) => code).join('; ') : shownCode,
      detail: row.submissionId === null ? joined(issues.map(({ message }) => message)) : answer,
      remedy: joined(issues.map(({ remedy }) => remedy)),
      record: fieldsIn(recordText),
      accepted: row.cause === 'amended' ? await acceptedBefore(ledger, row.submissionId) : null,
      cells: cellsIn(cellsText),
      issues,
    };
  }
}

async function mostExtraCells(ledger: Ledger, dropId: number): Promise<number> {
  const drop = await first(
    ledger,
    query.selectFrom('drop_file').select('header').where('drop_id', '=', dropId),
  );
  const header = JSON.parse(drop?.header ?? '[]') as string[];
  const ragged = await all(
    ledger,
    query
      .selectFrom('issue as i')
      .innerJoin('row as r', (join) =>
        join.onRef('r.drop_id', '=', 'i.drop_id').onRef('r.line', '=', 'i.line'),
      )
      .select('r.cells')
      .where('i.drop_id', '=', dropId)
      .where('i.code', '=', 'row-ragged'),
  );
  return ragged.reduce((most, { cells }) => Math.max(most, extraCells(cellsIn(cells), header)), 0);
}

/** Lines of a drop that need attention: rows that are still invalid, and submissions in a state that needs a person. */
function linesOf(dropId: number, selection: ReportSelection) {
  return openItemsIn(selection)
    .select(['o.line', sql<number | null>`nullif(o.submission_id, 0)`.as('submission_id')])
    .where('o.drop_id', '=', dropId);
}

async function acceptedBefore(
  ledger: Ledger,
  submissionId: number | null,
): Promise<Readonly<Record<string, FieldValue>> | null> {
  const accepted = await first(
    ledger,
    query
      .selectFrom('submission as own')
      .innerJoin('submission_record as s', (join) =>
        join
          .onRef('s.learner_id', '=', 'own.learner_id')
          .onRef('s.content_id', '=', 'own.content_id')
          .onRef('s.environment_id', '=', 'own.environment_id')
          .onRef('s.operation_id', '=', 'own.operation_id')
          .onRef('s.occurred_at', '=', 'own.occurred_at'),
      )
      .select('s.told as record')
      .where('own.submission_id', '=', submissionId)
      .where('s.state', '=', sql.lit('accepted'))
      .orderBy('s.revision', 'desc')
      .limit(sql.lit(1)),
  );
  return fieldsIn(accepted?.record ?? null);
}

/** The last answer to any attempt of `submission as s`. */
export const lastResponse = responseOf(sql`true`);

/**
 * The last answer to `submission as s` that meets a condition on `response as p2`. First and late answers have an index each,
 * which SQLite uses only where the query names `late`: otherwise it reads all answers for each row.
 */
export function responseOf(condition: RawBuilder<unknown>): RawBuilder<number> {
  const answers = (late: RawBuilder<unknown>) => sql`select p2.response_id as id from attempt_submission x2
    join response p2 on p2.attempt_id = x2.attempt_id and p2.late = ${late}
    where x2.submission_id = s.submission_id and ${condition}`;
  return sql<number>`(select max(id) from (${answers(sql`0`)} union all ${answers(sql`1`)}))`;
}
