import { existsSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import { resultsByLine } from '../../../domain/delivery/judge.js';
import type { Issue, IssueCode } from '../../../domain/issue.js';
import { failpoint } from '../../../domain/process/failpoint.js';
import { noDispositions } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { holdsLease, isPushRunning, type Lease } from '../../leases/leases.js';
import { isAmong, item, itemsOf, ownTable, textItem } from '../../store/dialect.js';
import { fitToSize } from '../../store/open.js';
import { change, inserted, type Ledger, preparedQuery, writing, writingAfter } from '../../store/query.js';
import { countMore, enterState } from '../open-items.js';
import { NO_LEARNER } from '../slots.js';
import { makeSubmissions, numberNamed } from './make-submissions.js';
import {
  invalidCause,
  type NextRows,
  type ReadSchema,
  type StagedRow,
  type StagingTarget,
} from './read-rows.js';
import { copyReadRows, countRead, type ReadCounts, withReadFile, withReadRows } from './read-tables.js';

/**
 * Stages rows of a drop, which don't count before the drop is published.
 * @param turn resolves when the rows before are written; false: they are not, and neither are these. A database
 * receives the rows meanwhile.
 * @returns `isShared`: true while a process delivers: the caller must leave room for it before it writes more;
 * `submissions`: the highest submission number of the ledger; `ms`: how long it kept other writers waiting. null:
 * another owner has the stage lease, and nothing was written.
 */
export async function stageBatch(
  ledger: Ledger,
  lease: Lease,
  target: StagingTarget,
  rows: NextRows,
  turn: Promise<boolean> = Promise.resolve(true),
) {
  let startedMs = 0;
  const write = (from: ReadSchema) => async (ledger: Ledger) => {
    startedMs = ledger.local.monotonicMs();
    if (!(await turn) || !(await holdsLease(ledger, lease))) return null;
    await stageRead(ledger, target, from);
    const highest = sql<{ id: number }>`select coalesce(max(submission_id), 0) as id from submission`;
    return { isShared: await isPushRunning(ledger), submissions: (await inserted(ledger, highest)).id };
  };
  const written = async () => {
    // A new holder of the lease deletes the files of the holder before it.
    if (typeof rows === 'string' && !existsSync(rows)) return null;
    if (ledger.file === null) {
      const copy = async (ledger: Ledger) => {
        await copyReadRows(ledger, rows);
        await turn;
      };
      return writingAfter(ledger, copy, write('temp'));
    }
    await turn;
    fitToSize(ledger.file.sqlite);
    if (typeof rows === 'string') return withReadFile(ledger, rows, write('reading'));
    return writing(ledger, (ledger) => withReadRows(ledger, rows, () => write('temp')(ledger)));
  };
  const batch = await written();
  return batch && { ...batch, ms: ledger.local.monotonicMs() - startedMs };
}

/** Stages all rows of a small drop. Call it in the write transaction that begins the drop. */
export function stageWithin(
  ledger: Ledger,
  target: StagingTarget,
  rows: readonly StagedRow[],
): Promise<void> {
  return withReadRows(ledger, rows, () => stageRead(ledger, target, 'temp'));
}

async function stageRead(ledger: Ledger, target: StagingTarget, from: ReadSchema): Promise<void> {
  const { dropId } = target;
  const counts = await countRead(ledger, from);
  const lists = resultsByLine(await makeSubmissions(ledger, target, from, counts));
  await insertRows(ledger, dropId, from, counts, lists);
  await insertParts(ledger, dropId, lists);
  await insertReadIssues(ledger, dropId, from);
  await openInvalidRows(ledger, target, from, counts);
  await countRows(ledger, dropId, counts, lists);
  failpoint('batch-written');
}

/**
 * Inserts the rows. PostgreSQL may read all submissions of the range of lines at once, so the range is that of the
 * batch. A row whose records all repeat submissions is a duplicate of the first of these.
 */
async function insertRows(
  ledger: Ledger,
  dropId: number,
  from: ReadSchema,
  { firstLine, lastLine }: ReadCounts,
  lists: ReturnType<typeof resultsByLine>,
): Promise<void> {
  const rows = ownTable(from, 'read_row');
  const listed = [...lists.values()];
  const batch = { dropId, firstLine, lastLine };
  if (listed.length === 0) {
    await change(ledger, ALL_ROWS(batch, from));
    return;
  }
  const numbers = listed.map(({ number }) => number);
  await change(ledger, rowsWhere(batch, from, sql`and not ${isAmong('r.number', numbers)}`));
  const became = listed.map(({ number, disposition, created, repeated }) => [
    number,
    disposition,
    created[0] ?? repeated[0],
  ]);
  await change(
    ledger,
    sql`insert into row (drop_id, line, disposition, submission_id, lines, cells, stray_quotes)
      select ${dropId}, r.line, ${textItem(1)}, ${item(2)}, r.lines, r.cells, r.stray_quotes
      from ${itemsOf(became)} left join ${rows} r on r.number = ${item(0)}`,
  );
}

interface LinesOfDrop {
  readonly dropId: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

function rowsWhere(
  { dropId, firstLine, lastLine }: LinesOfDrop,
  from: ReadSchema,
  isInserted: RawBuilder<unknown>,
) {
  return sql`insert into row (drop_id, line, disposition, submission_id, lines, cells, stray_quotes)
    select ${dropId}, r.line, case r.kind when 'record' then 'staged' else r.kind end,
      case r.kind when 'record' then s.submission_id else r.submission_id end, r.lines, r.cells, r.stray_quotes
    from ${ownTable(from, 'read_row')} r left join submission s on s.drop_id = ${dropId} and s.line = r.line
      and s.line between ${firstLine} and ${lastLine}
    where r.kind <> 'further' ${isInserted} order by r.number`;
}

const ALL_ROWS = preparedQuery((batch: LinesOfDrop, from: ReadSchema) => rowsWhere(batch, from, sql``));

/** Inserts the submissions that a row of several records repeats, in addition to those that it became. */
async function insertParts(
  ledger: Ledger,
  dropId: number,
  lists: ReturnType<typeof resultsByLine>,
): Promise<void> {
  const parts = [...lists].flatMap(([line, { created, repeated }]) =>
    (created.length === 0 ? repeated.slice(1) : repeated).map((submissionId, part) => [
      line,
      part,
      submissionId,
    ]),
  );
  if (parts.length === 0) return;
  await change(
    ledger,
    sql`insert into row_part (drop_id, line, part, submission_id)
      select ${dropId}, ${item(0)}, ${item(1)}, ${item(2)} from ${itemsOf(parts)} where true`,
  );
}

/** Inserts the issues, without those of duplicates: the row of the repeated submission has them. */
async function insertReadIssues(ledger: Ledger, dropId: number, from: ReadSchema): Promise<void> {
  await change(ledger, READ_ISSUES({ dropId }, from));
}

const READ_ISSUES = preparedQuery(
  ({ dropId }: { readonly dropId: number }, from: ReadSchema) =>
    sql`insert into issue (drop_id, line, ordinal, code, column_name, value, message, remedy)
      select ${dropId}, i.line, i.ordinal, i.code, i.column_name, i.value, i.message, i.remedy
      from ${ownTable(from, 'read_issue')} i
      where not exists (select 1 from row r
        where r.drop_id = ${dropId} and r.line = i.line and r.disposition = 'duplicate')`,
);

async function openInvalidRows(
  ledger: Ledger,
  { dropId, environment }: StagingTarget,
  from: ReadSchema,
  { others }: ReadCounts,
): Promise<void> {
  const invalid = others.filter(({ kind }) => kind === 'invalid');
  if (invalid.length === 0) return;
  const environmentId = await numberNamed(ledger, 'environment', environment);
  for (const { cause, rows } of invalid) {
    const code = cause as IssueCode;
    await countMore(ledger, { dropId, environmentId }, { state: 'invalid', cause: code, code }, rows);
  }
  await change(
    ledger,
    sql`insert into open_item (drop_id, line, submission_id, environment_id, learner_id, state, cause, code)
      select ${dropId}, line, 0, ${environmentId}, ${NO_LEARNER}, 'invalid', cause, cause
      from ${ownTable(from, 'read_row')} where kind = 'invalid'`,
  );
}

/** Adds the written rows to the drop's counts, and records the line up to which it is staged. */
async function countRows(
  ledger: Ledger,
  dropId: number,
  { records, lastLine, others }: ReadCounts,
  lists: ReturnType<typeof resultsByLine>,
): Promise<void> {
  if (lastLine === 0) return;
  const counts = noDispositions();
  counts.staged = records - lists.size;
  for (const { disposition } of lists.values()) counts[disposition] += 1;
  for (const { kind, lines } of others) if (kind !== 'further') counts[kind] += lines;
  const further = [...lists.values()].reduce((sum, { created }) => sum + Math.max(0, created.length - 1), 0);
  const { 'non-data': non_data, ...named } = counts;
  await addToDrop(ledger, dropId, { ...named, non_data, further, staged_line: lastLine });
}

/** Adds to counts of a drop, by column name. `staged_line` is no count, and replaced. */
export async function addToDrop(
  ledger: Ledger,
  dropId: number,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  await change(ledger, ADDED({ ...counts, dropId }));
}

const ADDED = preparedQuery(({ dropId, ...counts }: Readonly<Record<string, number>>) => {
  const sums = Object.entries(counts).map(([name, by]) => {
    const before = name === 'staged_line' ? sql.lit(0) : sql.ref(name);
    return sql`${sql.ref(name)} = ${before} + ${by}`;
  });
  return sql`update drop_file set ${sql.join(sums)} where drop_id = ${dropId}`;
});

/**
 * Inserts issues of a row.
 * @param row with the decision that has read it again; absent: staging has read it.
 * @param existing the number of issues that it already has.
 */
export async function insertIssues(
  ledger: Ledger,
  { dropId, line, decisionId = null }: RowRef & { readonly decisionId?: number | null },
  issues: readonly Issue[],
  existing = 0,
): Promise<void> {
  const values = issues.map(({ column, ...issue }, ordinal) => ({
    drop_id: dropId,
    line,
    ordinal: existing + ordinal,
    column_name: column,
    decision_id: decisionId,
    ...issue,
  }));
  if (values.length > 0) await ledger.db.insertInto('issue').values(values).execute();
}

/** Inserts the open item of an invalid row, and counts it. */
export async function openInvalid(
  ledger: Ledger,
  row: RowRef & { readonly environmentId: number },
  issues: readonly Issue[],
): Promise<void> {
  const cause = invalidCause(issues);
  const counted = { ...row, submissionId: 0, learnerId: NO_LEARNER };
  await enterState(ledger, counted, { state: 'invalid', cause, code: cause });
}
