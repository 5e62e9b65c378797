import { type RawBuilder, sql } from 'kysely';
import type { AttentionCause, CauseCount, DropCount } from '../../../documents/report.js';
import type { Cause } from '../../../domain/cause.js';
import { type IssueCode, OMITTED_VALUE_CODES } from '../../../domain/issue.js';
import { pickedIn, publishedIn, type ReportSelection } from '../../drops/report-selection.js';
import { all, count, type Ledger, query } from '../../store/query.js';
import { correctedBy, submissionIn } from '../../submissions/columns.js';
import { OPEN_STATES, published } from '../../submissions/open-items.js';

/** The causes in the selection, the largest count first. A row counts under one cause alone. */
export async function causesIn(ledger: Ledger, selection: ReportSelection): Promise<CauseCount[]> {
  // The counters cover whole drops; a run also moves single rows of other runs' files.
  const counts = selection.runId === undefined ? countedIn(selection) : countItems(selection);
  return together(await all(ledger, counts)).sort(
    (a, b) => b.count - a.count || a.code.localeCompare(b.code),
  );
}

function countedIn(selection: ReportSelection) {
  return published()
    .select(['n.state', sql<Cause | IssueCode>`n.cause`.as('cause'), 'n.code', 'n.count'])
    .select(['d.drop_id as drop', 'd.file_name as file'])
    .select(
      sql<number>`(select min(o.line) from open_item o where o.cause = n.cause and o.code = n.code
        and o.drop_id = n.drop_id and o.state = n.state)`.as('line'),
    )
    .where('n.state', 'in', OPEN_STATES)
    .where(pickedIn(selection))
    .orderBy('d.drop_id');
}

function countItems(selection: ReportSelection) {
  return openItemsIn(selection)
    .select(['o.state', sql<Cause | IssueCode>`o.cause`.as('cause'), 'o.code'])
    .select([sql<number>`count(*)`.as('count'), 'd.drop_id as drop', 'd.file_name as file'])
    .select(sql<number>`min(o.line)`.as('line'))
    .groupBy(['o.state', 'o.cause', 'o.code', 'd.drop_id', 'd.file_name'])
    .orderBy('d.drop_id');
}

/** The open items of the selection, as `o`, each with its drop `d`. */
export function openItemsIn(selection: ReportSelection) {
  return query
    .selectFrom('open_item as o')
    .innerJoin('drop_file as d', 'd.drop_id', 'o.drop_id')
    .where(itemIn(selection));
}

/** Counts the rows of other runs' files that a run has corrected and that are still invalid. */
export async function correctedOpenIn(ledger: Ledger, selection: ReportSelection): Promise<number> {
  const { runId } = selection;
  if (runId === undefined) return 0;
  const isOfOthers = sql<boolean>`${isCorrectedIn(runId)} and not (${publishedIn(selection)})`;
  return count(ledger, openItemsIn(selection).where('o.submission_id', '=', 0).where(isOfOthers));
}

function isCorrectedIn(runId: number) {
  return sql<boolean>`(o.drop_id, o.line) in (select c.drop_id, c.line from ${correctedBy(runId)})`;
}

/** Condition on `open_item as o` joined to `drop as d`: it is in the selection. */
function itemIn(selection: ReportSelection) {
  if (selection.runId === undefined) return publishedIn(selection);
  return sql<boolean>`(o.submission_id = 0 and (${publishedIn(selection)} or ${isCorrectedIn(selection.runId)})
    or o.submission_id <> 0 and ${submissionIn(selection, 'o')})`;
}

interface CountedInDrop extends AttentionCause, DropCount {
  readonly line: number;
}

/** Sums each cause over its drops; the example is the first row of the first drop. */
function together(counted: readonly CountedInDrop[]): CauseCount[] {
  const causes = new Map<string, CauseCount & { readonly drops: DropCount[] }>();
  for (const { drop, file, count, line, ...cause } of counted) {
    const name = JSON.stringify([cause.state, cause.cause, cause.code]);
    const sum = causes.get(name) ?? { ...cause, count: 0, example: `${file}:${line}`, drops: [] };
    sum.drops.push({ drop, file, count });
    causes.set(name, { ...sum, count: sum.count + count });
  }
  return [...causes.values()];
}

export const requestCount = sql<number>`(select count(*) from attempt_submission x
  where x.submission_id = s.submission_id)`;

/** The latest answer to any attempt of `submission as s`. */
export const lastResponse = responseOf(sql`true`);

/**
 * The latest answer to `submission as s` that matches a condition on `response as p2`. First and late answers have separate
 * indexes, which SQLite uses only with a condition on `late`: without one, it reads all answers for each row.
 */
export function responseOf(condition: RawBuilder<unknown>): RawBuilder<number> {
  const answers = (late: RawBuilder<unknown>) => sql`select p2.response_id as id from attempt_submission x2
    join response p2 on p2.attempt_id = x2.attempt_id and p2.late = ${late}
    where x2.submission_id = s.submission_id and ${condition}`;
  return sql<number>`(select max(id) from (${answers(sql`0`)} union all ${answers(sql`1`)}) a)`;
}

/** The number of values of a column that the records of a file were sent without. */
export type OmittedCount = Awaited<ReturnType<typeof omittedIn>>[number];

/** Counts the values that the records are sent without, because their cells couldn't be read, with the first line. */
export async function omittedIn(ledger: Ledger, selection: ReportSelection) {
  return ledger.db
    .selectFrom('issue as i')
    .innerJoin('drop_file as d', 'd.drop_id', 'i.drop_id')
    .select([sql<IssueCode>`i.code`.as('code'), sql<string>`coalesce(i.column_name, '')`.as('column')])
    .select(['d.drop_id as dropId', 'd.file_name as file', sql<number>`min(i.line)`.as('line')])
    .select(sql<number>`count(distinct i.line)`.as('count'))
    .where('i.code', 'in', [...OMITTED_VALUE_CODES])
    .where(publishedIn(selection))
    .groupBy(['d.drop_id', 'i.code', 'i.column_name'])
    .orderBy('d.drop_id')
    .orderBy('line')
    .execute();
}
