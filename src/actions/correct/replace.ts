import { hash } from 'node:crypto';
import { needsPerson } from '../../domain/delivery/correction.js';
import { issuesText } from '../../domain/issue.js';
import { errorsOf } from '../../domain/operator-error.js';
import { cellText } from '../../domain/row.js';
import { describeSelection } from '../../domain/selection.js';
import { agreeing } from '../../domain/text/count-of.js';
import { rowPage } from '../../ledger/books/rows/browsed-rows.js';
import type { RowPlace } from '../../ledger/submissions/select/selection.js';
import { name, type Table } from '../../report/sections/section.js';
import { counted, numberText } from '../../report/text/counted.js';
import type { Preview, Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { withLearners } from '../learners/learners-named.js';
import { type Corrected, carryOutAll, doneDocument, hasEffect, outcome, rowDocument } from './correct.js';
import { planRows, type RowPlan, type RowToPlan } from './plan-row.js';

/** What a replacement would do to the first rows that have the text. Personal. */
export interface ReplacePlan {
  readonly request: RequestOf<'replace'>;
  readonly rows: readonly RowPlan[];
  /** True where more rows of the selection weren't looked at. */
  readonly isCut: boolean;
}

/** More rows than these are replaced by a second decision: each is read and judged for the preview. */
const MAX_ROWS = 500;

const MAX_SCANNED = 5_000;

/** Find and replace over a column. It is a correction like any other, and recorded as one. */
export const replace: Verb<RequestOf<'replace'>, ReplacePlan, Corrected> = {
  async plan(context, request) {
    const { selection, column, find, with: replacement } = request;
    if (find === '') {
      const message = 'the text to find is empty';
      const hint = 'Name the text to find in the cells.';
      throw errorsOf('find and replace')('find', message, hint, { reason: 'invalid' });
    }
    const resolved = withLearners(context.ledger, selection);
    const rows: RowToPlan[] = [];
    let after: RowPlace | null = null;
    let scanned = 0;
    do {
      const page = await rowPage(context.ledger, resolved, { after, limit: MAX_ROWS, direction: 'asc' });
      for (const { header, cells, submissionId, dropId, line } of page.rows) {
        const index = header.indexOf(column);
        const text = index < 0 ? '' : cellText(cells?.[index] ?? null);
        if (!text.includes(find) || rows.length === MAX_ROWS) continue;
        const value = text.replaceAll(find, () => replacement);
        const what = submissionId === null ? `${dropId}:${line}` : `#${submissionId}`;
        rows.push({ what, set: [{ column: index, value }] });
      }
      scanned += page.rows.length;
      after = page.next;
    } while (after !== null && rows.length < MAX_ROWS && scanned < MAX_SCANNED);
    return { request, rows: await planRows(context, { rows }), isCut: after !== null };
  },
  carryOut: (context, { rows }, who, because) => carryOutAll(context, rows, who, because),
  preview,
  outcome,
  document({ request, rows, isCut }, done, dryRun) {
    const { column, find, with: replacement } = request;
    return {
      ...{ dryRun, column, find, with: replacement, isCut },
      corrected: rows.filter(hasEffect).length,
      selected: rows.map((row) => ({ ...rowDocument(row), issues: row.issues })),
      ...doneDocument(done),
    };
  },
  leavesWork: (_planned, done) => done !== null && needsPerson(done.rows),
};

function preview({ request, rows, isCut }: ReplacePlan): Preview {
  const { selection, column, find, with: replacement } = request;
  const good = rows.filter(hasEffect).length;
  const unchanged = rows.length - good;
  const requests = rows.filter(hasEffect).reduce((sum, { records }) => sum + records.length, 0);
  const which = rows.map(({ row, outcome }) => [row.dropId, row.line, row.correctedBy, outcome.disposition]);
  return {
    headline: `${counted(good, 'row')} would be corrected`,
    lines: [
      ['In column ', name(column), ', ', name(find), ' becomes ', name(replacement), '.'],
      `Selected: ${describeSelection(selection)}.`,
      `${counted(requests, 'request')} would wait for the next run.`,
      ...(unchanged > 0
        ? [
            `${counted(unchanged, 'row')} ${agreeing(unchanged, 'has', 'have')} the text and would change nothing: ${agreeing(unchanged, 'it stays', 'they stay')} as is.`,
          ]
        : []),
      ...(isCut ? [`These are the first ${numberText(rows.length)}. Repeat it for the others.`] : []),
    ],
    tables: [table(rows, column)],
    changes: good > 0,
    fingerprint: hash('sha256', JSON.stringify([request, which])).slice(0, 16),
  };
}

/** As many rows as a person looks through. */
const MAX_SHOWN = 100;

function table(rows: readonly RowPlan[], column: string): Table {
  return {
    caption:
      rows.length > MAX_SHOWN ? `The first ${MAX_SHOWN} of ${counted(rows.length, 'row')}` : 'The rows',
    columns: [
      { title: 'Row' },
      { title: 'Now' },
      { title: 'Then' },
      { title: 'Read as' },
      { title: 'Result', isShort: true },
    ],
    rows: rows.slice(0, MAX_SHOWN).map(({ row, cells, outcome, issues }) => {
      const cell = cells.find((one) => one.column === column && one.given !== null);
      const why = issuesText(issues);
      return {
        cells: [
          { kind: 'row', text: `${row.dropId}:${row.line}` },
          name(cell?.was ?? ''),
          name(cell?.given ?? ''),
          name(cell?.value == null ? '' : String(cell.value)),
          why === '' ? outcome.disposition : `${outcome.disposition}: ${why}`,
        ],
      };
    }),
    maxRows: MAX_SHOWN,
    look: 'list',
  };
}
