import type { ListedRow } from '../../documents/rows.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { Selection } from '../../domain/selection.js';
import { rowPage } from '../../ledger/books/rows/browsed-rows.js';
import type { RowPlace } from '../../ledger/submissions/select/selection.js';
import { listedRow } from '../../report/listed-row.js';
import type { ActionContext } from '../context.js';
import { withLearners } from '../learners/learners-named.js';

export interface RowsRequest {
  readonly selection: Selection;
  /** A text to find in a name, an identifier or a cell, ignoring case; null: any row. */
  readonly search: string | null;
  /** The cursor from the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
  readonly isDescending?: boolean;
}

export type RowsPage = Awaited<ReturnType<typeof browseRows>>;

/** The most rows scanned for one page of a search, because their cells must be read. */
const MAX_SEARCHED = 200;

/**
 * Reads one page of the rows of a selection, each as the file has it, as it was read, and with what the platform said. Throws
 * OperatorError for names that don't exist, and for a cursor that none of its pages gave. Personal.
 * @returns `total`: how many rows the selection has, whatever the search; null where counting them takes too long. `lookedThrough`: how
 *   many rows were looked at for the search. `isComplete`: false where the page was ended before it was full, because looking on takes
 *   longer than a page may. `next`: where the next page begins; null: there are no more rows. `unsearched`: rows without a record that
 *   were not searched for the selection's learner.
 */
export async function browseRows({ ledger }: ActionContext, request: RowsRequest) {
  const { selection, search, limit, isDescending = false } = request;
  const direction = isDescending ? 'desc' : 'asc';
  const resolved = withLearners(ledger, selection);
  const from = request.after === null ? null : placeIn(request.after);
  const needle = search?.trim().toLowerCase() ?? '';
  const atOnce = needle === '' ? limit : AT_ONCE;
  const rows: ListedRow[] = [];
  let scanned = 0;
  let after = from;
  for (;;) {
    const page = await rowPage(ledger, resolved, { after, limit: atOnce, direction });
    // After the last one that the ledger has looked at; where the page is full before that, after the last row looked at.
    after = page.next;
    for (const [index, row] of page.rows.entries()) {
      scanned += 1;
      const listed = listedRow(row);
      if (contains(listed, needle)) rows.push(listed);
      if (rows.length < limit) continue;
      if (index < page.rows.length - 1) after = { ...row, submissionId: row.submissionId ?? 0 };
      break;
    }
    const isComplete = rows.length === limit || page.next === null;
    if (isComplete || scanned >= MAX_SEARCHED || page.rows.length < atOnce) {
      const { count: total, unsearched } = page;
      const next = after && `${after.dropId}.${after.line}.${after.submissionId}`;
      return { rows, total, lookedThrough: scanned, isComplete, next, unsearched };
    }
  }
}

const AT_ONCE = 50;

/** True if a text that a page shows contains it. @param needle in lower case; '' matches any row. */
function contains({ fields, cells, ...row }: ListedRow, needle: string): boolean {
  if (needle === '') return true;
  const texts = [
    row.file,
    row.source,
    row.learner,
    row.content,
    row.answer,
    ...fields.flatMap(({ inFile, asRead }) => [inFile, asRead]),
    ...(cells ?? []).map(({ text }) => text),
    ...row.problems.map(({ sentence }) => sentence),
  ];
  return texts.some((text) => text?.toLowerCase().includes(needle));
}

function placeIn(cursor: string): RowPlace {
  const [, dropId, line, submissionId] = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (submissionId === undefined) {
    const message = `no page of rows begins after "${cursor}"`;
    throw errorsOf('show rows')('after', message, 'Begin with the first page.', { reason: 'invalid' });
  }
  return { dropId: Number(dropId), line: Number(line), submissionId: Number(submissionId) };
}
