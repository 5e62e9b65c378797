import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { ROW_OUTCOMES, type RowOutcome } from '../../domain/delivery/correction.js';
import { grouped } from '../../domain/grouped.js';
import type { Issue } from '../../domain/issue.js';
import { mapSeries } from '../../domain/process/series.js';
import type { Cell } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { DropFacts } from '../drops/drops.js';
import { isOpenRefusal } from '../drops/refused/refused-drops.js';
import { isPicked, type ReportSelection } from '../drops/report-selection.js';
import { cellsIn } from '../drops/rows/kept-rows.js';
import { isInRun } from '../leases/runs.js';
import { pagesOf } from '../store/pages.js';
import { first, type Ledger, query, reading, writing } from '../store/query.js';
import type { OutcomeCounts } from '../submissions/reread.js';

export interface CorrectedFileArrival {
  readonly sha256: string;
  readonly fileName: string;
  /** The source of its inbox; null: an operator imported it directly. */
  readonly source: string | null;
  readonly runId: number | null;
}

/** Call it in a write transaction. */
export async function recordCorrectedFile(
  ledger: Ledger,
  decisionId: number,
  { sha256, fileName, runId }: CorrectedFileArrival,
): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  const arrival = { decision_id: decisionId, sha256, file_name: fileName, run_id: runId, arrived_at: at };
  await ledger.db.insertInto('returned_file').values(arrival).execute();
}

/**
 * Finds a corrected file by its bytes; null: they are new. `refusedFiles`: its open refusal, for the parts that couldn't
 * be carried out; null: there is none.
 * @param arrival the file that has arrived, which is recorded unless it is still refused; null: none has.
 */
export async function findCorrectedFile(ledger: Ledger, sha256: string, arrival: DropFacts | null) {
  return (arrival === null ? reading : writing)(ledger, async (ledger) => {
    const latest = query.selectFrom('returned_file').select('decision_id as decisionId');
    const returned = await first(
      ledger,
      latest.where('sha256', '=', sha256).orderBy('returned_file_id', 'desc').limit(sql.lit(1)),
    );
    if (returned === undefined) return null;
    const { decisionId } = returned;
    const refused = await ledger.db
      .selectFrom('drop_file as d')
      .select(['d.drop_id as dropId', sql<string>`d.refusal`.as('sentence')])
      .where('d.sha256', '=', sha256)
      .where(isOpenRefusal)
      .executeTakeFirst();
    if (arrival !== null && !arrival.isResumed && refused === undefined)
      await recordCorrectedFile(ledger, decisionId, { ...arrival, sha256 });
    return { decisionId, refusedFiles: refused ?? null };
  });
}

/** The refused corrected files that this one replaces: the same bytes, or the same name in the same inbox. */
export async function refusalsOfCorrectedFile(
  ledger: Ledger,
  { sha256, fileName, source }: CorrectedFileArrival,
) {
  const refusals = await ledger.db
    .selectFrom('drop_file as d')
    .select('d.drop_id as dropId')
    .where('d.source', '=', source)
    .where(({ or, eb }) => or([eb('d.sha256', '=', sha256), eb('d.file_name', '=', fileName)]))
    .where(isOpenRefusal)
    .where(
      sql<boolean>`(d.sha256 = ${sha256} or exists (select 1 from returned_file r where r.sha256 = d.sha256))`,
    )
    .execute();
  return refusals.map(({ dropId }) => dropId);
}

/** The corrected files that a run imported; none for any other selection, because they belong to no source. */
export async function correctedFilesIn(ledger: Ledger, selection: ReportSelection) {
  if (isPicked(selection)) return [];
  const files = await ledger.db
    .selectFrom('returned_file as r')
    .select(['r.decision_id as decision', sql<string>`max(r.file_name)`.as('file')])
    .select(
      sql<number>`(select count(*) from correction_issue i where i.decision_id = r.decision_id)`.as('issues'),
    )
    .where(isInRun('r.run_id', selection.runId))
    .groupBy('r.decision_id')
    .orderBy('r.decision_id')
    .execute();
  return mapSeries(files, async (file) => ({ ...file, rows: await outcomesOf(ledger, file.decision) }));
}

/** A row with its corrected cells. Personal. */
export interface CorrectedRow extends RowRef {
  readonly cells: readonly Cell[];
}

/** A part of a corrected file that can't be carried out. Personal. */
export interface CorrectionIssue extends Issue {
  /** null for a text file. */
  readonly sheet: string | null;
  /** The line of the corrected file. */
  readonly line: number;
}

/** Call it in the transaction that records the decision to correct. */
export async function saveCorrectedRows(
  ledger: Ledger,
  decisionId: number,
  rows: readonly CorrectedRow[],
  issues: readonly CorrectionIssue[],
): Promise<void> {
  const corrected = rows.map(({ dropId, line, cells }) => ({
    decision_id: decisionId,
    drop_id: dropId,
    line,
    cells: JSON.stringify(cells),
  }));
  for (const page of pagesOf(corrected)) await ledger.db.insertInto('corrected_row').values(page).execute();
  const issueRows = issues.map(({ column, ...issue }, ordinal) => ({
    decision_id: decisionId,
    ordinal,
    column_name: column,
    ...issue,
  }));
  for (const page of pagesOf(issueRows))
    await ledger.db.insertInto('correction_issue').values(page).execute();
}

/** The rows of an open correction that are not carried out yet, by drop; erased cells are []. Personal. */
export async function openCorrectedRows(ledger: Ledger, decisionId: number) {
  const openRows = await ledger.db
    .selectFrom('corrected_row')
    .select(['drop_id as dropId', 'line', 'cells'])
    .where('decision_id', '=', decisionId)
    .where('outcome', 'is', null)
    .orderBy('drop_id')
    .orderBy('line')
    .execute();
  const rows = openRows.map(({ dropId, line, cells }) => ({ dropId, line, cells: cellsIn(cells) ?? [] }));
  return grouped(rows, ({ dropId }) => dropId);
}

/** Counts the rows of a correction that are carried out, by outcome. */
export async function outcomesOf(ledger: Ledger, decisionId: number): Promise<OutcomeCounts> {
  const of = (name: RowOutcome) =>
    sql<number>`count(case when outcome = ${sql.lit(name)} then 1 end)`.as(name);
  const counted = query.selectFrom('corrected_row').where('decision_id', '=', decisionId);
  return (await first(ledger, counted.select(ROW_OUTCOMES.map(of)))) as OutcomeCounts;
}

const MAX_ISSUES = 500;

/** The first parts of a corrected file that its decision didn't carry out; value and message are null once erased. */
export async function issuesOfCorrection(ledger: Ledger, decisionId: number) {
  return ledger.db
    .selectFrom('correction_issue')
    .select(['sheet', 'line', 'code', 'column_name as column', 'value', 'message', 'remedy'])
    .where('decision_id', '=', decisionId)
    .orderBy('ordinal')
    .limit(sql.lit(MAX_ISSUES))
    .execute();
}
