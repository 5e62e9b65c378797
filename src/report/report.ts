import type { Config } from '../config/schema.js';
import type { UnmatchedFile } from '../documents/common.js';
import type { BooksDocument, ReportedOmission } from '../documents/report.js';
import type { Equation } from '../domain/balance/equations.js';
import { grouped } from '../domain/grouped.js';
import { ISSUE_CODES } from '../domain/issue.js';
import { DISPOSITIONS } from '../domain/row.js';
import { ATTENTION_STATES, STATES } from '../domain/submission.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { type DropSummary, isUnresolvedRefusal } from '../ledger/books/files/drop-list.js';
import { type Books, readBooks } from '../ledger/books/read-books.js';
import type { OmittedCount } from '../ledger/books/rows/attention.js';
import type { ReportSelection } from '../ledger/drops/report-selection.js';
import type { Ledger } from '../ledger/store/query.js';
import { estimatesOf } from './status/delivery-estimate.js';
import { reportedOutages } from './status/outages.js';
import { causeEntry, causeWords } from './words/causes.js';
import { noticeWords } from './words/notice-words.js';

/** The one model that every rendering of a report draws from: its document, and what is behind it. */
export interface Report extends BooksDocument {
  readonly equations: readonly Equation[];
  readonly files: readonly DropSummary[];
  /** The drops whose rows the report's files list. */
  readonly drops: Books['drops'];
}

/** @param unmatched files in the inboxes; null where the inboxes were not read. Throws OperatorError where there is no such run. */
export async function reconcile(
  ledger: Ledger,
  selection: ReportSelection,
  {
    environments = {},
    unmatched = null,
  }: Partial<Pick<Config, 'environments'> & { readonly unmatched: readonly UnmatchedFile[] | null }> = {},
): Promise<Report> {
  const facts = await readBooks(ledger, selection);
  const { queues, resolved, correctedOpen, openInAll, outages, omitted, causes, notices, ...books } = facts;
  const { at, equations, dispositions, states } = books;
  const estimates = await estimatesOf(
    { ledger, config: { environments }, clock: ledger.clock },
    queues.map(({ environment }) => environment),
  );
  const attentionRows = ATTENTION_STATES.reduce(
    (sum, name) => sum + states[name],
    dispositions.invalid - resolved + correctedOpen,
  );
  const attentionFiles = books.files.filter(isUnresolvedRefusal).length;
  return {
    selection,
    ...books,
    balanced: equations.every(({ holds }) => holds),
    rows: DISPOSITIONS.reduce((sum, name) => sum + dispositions[name], 0),
    attention: attentionRows + attentionFiles,
    attentionRows,
    attentionFiles,
    attentionElsewhere: { rows: openInAll.rows - attentionRows, files: openInAll.files - attentionFiles },
    waiting: queues.map(({ environment, waiting, pushedBy }) => {
      const estimate = estimates.find((one) => one.environment === environment);
      // Rows that were delivered since they were counted take no more time.
      const estimatedEnd = estimate?.rows === 0 ? at : (estimate?.estimatedEnd ?? null);
      return { environment, waiting, estimatedMs: estimate?.estimatedMs ?? null, estimatedEnd, pushedBy };
    }),
    causes: causes.map((cause) => ({ ...cause, ...causeWords(cause) })),
    outages: reportedOutages({ outages }),
    notices: notices.map(({ environment, notice, count }) => ({
      ...{ code: notice.code, environment, count },
      ...noticeWords(environment, notice),
    })),
    omitted: reportedOmissions(omitted),
    unmatched,
  };
}

function reportedOmissions(counts: readonly OmittedCount[]): readonly ReportedOmission[] {
  const byColumn = grouped(counts, ({ code, column }) => JSON.stringify([code, column]));
  const omissions = [...byColumn.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { code, column, file, line } = first;
    const drops = all.map(({ dropId: drop, file, count }) => ({ drop, file, count }));
    const count = drops.reduce((sum, drop) => sum + drop.count, 0);
    return { code, column, reason: ISSUE_CODES[code], example: `${file}:${line}`, count, drops };
  });
  return omissions.sort((a, b) => b.count - a.count);
}

/** The report as `run --json` and `report --json` print it; docs/cli-json.md describes it. */
export function renderJson({ drops: _drops, ...report }: Report): BooksDocument {
  return {
    ...report,
    equations: report.equations.map(({ dropId: _, ...equation }) => equation),
    files: report.files.map(({ isTaken: _taken, sha256: _bytes, header: _header, ...file }) => file),
  };
}

/** Rows still to be sent; for a run's report all rows that wait, since earlier runs may have left some too. */
export function countWaitingRows({ selection, waiting, states }: Report): number {
  if (selection.runId === undefined) return states.waiting + states.sending;
  return states.sending + waiting.reduce((sum, queue) => sum + queue.waiting, 0);
}

/** True where rows need attention that a correction workbook helps with: no cell resolves those of the Registrar operator. */
export function needsCorrectionWorkbook({ causes }: Pick<Report, 'causes'>): boolean {
  return causes.some((cause) => causeEntry(cause).actor !== 'operator');
}

/** The sentence about what needs attention outside the report's selection; null: nothing does. */
export function elsewhereWords({ selection, attentionElsewhere: { rows, files } }: Report): string | null {
  const parts = [...(rows > 0 ? [countOf(rows, 'row')] : []), ...(files > 0 ? [countOf(files, 'file')] : [])];
  if (parts.length === 0) return null;
  const of = selection.runId === undefined ? 'outside this report' : 'of other runs';
  return `${parts.join(' and ')} ${of} ${agreeing(rows + files, 'needs', 'need')} attention: registrar status.`;
}

export function countSubmissions(report: Pick<Report, 'states'>): number {
  return STATES.reduce((sum, name) => sum + report.states[name], 0);
}
