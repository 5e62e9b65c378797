import { sql } from 'kysely';
import { extraCells } from '../../../domain/row.js';
import { tracedDrop } from '../../drops/published-drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsIn, presentCells } from '../../drops/rows/kept-rows.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, type Ledger } from '../../store/query.js';
import { openItemsIn } from './attention.js';
import { type BrowsedRow, rowsAt } from './browsed-rows.js';

/** A row that needs attention, for the attention file. Personal. */
export type AttentionRow = ReturnType<typeof inNeed>;

/** A drop's rows that need attention, in line order, and the maximum number of cells beyond the header over all its rows. */
export type AttentionRows = Awaited<ReturnType<typeof attentionRows>>;

/**
 * Streams a drop's rows that need attention, and returns in advance the width of their table; for a selection, only its
 * submissions and published rows.
 */
export async function attentionRows(ledger: Ledger, dropId: number, selection: ReportSelection = {}) {
  const extraCells = await mostExtraCells(ledger, dropId);
  return { extraCells, [Symbol.asyncIterator]: () => rowsInNeed(ledger, dropId, selection) };
}

async function* rowsInNeed(ledger: Ledger, dropId: number, selection: ReportSelection) {
  const items = openItemsIn(selection)
    .select(['o.drop_id as dropId', 'o.line', 'o.submission_id as submissionId', 'o.state'])
    .where('o.drop_id', '=', dropId)
    .orderBy('o.line')
    .orderBy('o.submission_id')
    .limit(sql.lit(PAGE_ROWS));
  for (let after = { line: 0, submissionId: 0 }; ; ) {
    const next = sql<boolean>`(o.line, o.submission_id) > (${after.line}, ${after.submissionId})`;
    const page = await all(ledger, items.where(next));
    for (const row of await rowsAt(ledger, page)) yield inNeed(row);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

function inNeed({ answer, requests, ...row }: BrowsedRow) {
  const { submissionId, issues } = row;
  const joined = (texts: readonly (string | null)[]) => texts.filter(Boolean).join('; ') || null;
  return {
    ...row,
    code: submissionId === null ? issues.map(({ code }) => code).join('; ') : row.code,
    /** The platform's text, or the messages of the issues. */
    detail: submissionId === null ? joined(issues.map(({ message }) => message)) : (answer?.detail ?? null),
    remedy: joined(issues.map(({ remedy }) => remedy)),
    status: answer?.status ?? null,
    attempts: requests,
    errorId: answer?.errorId ?? null,
  };
}

async function mostExtraCells(ledger: Ledger, dropId: number): Promise<number> {
  const { header } = (await tracedDrop(ledger, dropId)) ?? { header: [] };
  const ragged = await all(
    ledger,
    sql<{
      cells: string | null;
    }>`select ${presentCells} as cells from issue i join row r using (drop_id, line)
      where i.drop_id = ${dropId} and i.code = 'row-ragged'`,
  );
  return ragged.reduce((most, { cells }) => Math.max(most, extraCells(cellsIn(cells), header)), 0);
}
