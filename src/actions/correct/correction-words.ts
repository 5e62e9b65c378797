import { issueText } from '../../domain/issue.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { outcomeText } from '../../report/correction-text.js';
import { code, name } from '../../report/sections/section.js';
import type { Preview } from '../decision/verb.js';
import type { CorrectedRows } from './handler.js';
import type { RowPlan } from './plan-row.js';

/** What a correction did. */
export interface Corrected {
  readonly decisionId: number;
  /** How many rows came to what. */
  readonly rows: CorrectedRows;
  /** How many submissions were replaced or sent again, and how many invalid rows were resolved. */
  readonly moved: number;
  readonly resolved: number;
}

/** What a correction would do. It is always a change: what can't be one is refused when it is carried out. */
export function preview({ row, cells, outcome, issues, records }: RowPlan): Preview {
  return {
    headline: [name(row.label), ` would be ${outcome.disposition}, and the original ${outcome.original}`],
    lines: [
      ...issues.map((issue) => `${issue.code}: ${issueText(issue)}`),
      ...records.map(({ request }) =>
        code(`${request.method} ${request.path} ${JSON.stringify(request.body)}`),
      ),
    ],
    tables: [
      {
        caption: 'The cells',
        columns: ['Column', 'In the file', 'Now', 'Read as', 'How'].map((title) => ({ title })),
        rows: cells.map(({ column, was, given, value, rule }) => ({
          cells: [column, was, given ?? '', String(value ?? ''), rule ?? ''],
        })),
        most: cells.length,
        look: 'list',
      },
    ],
    changes: true,
    seen: String(row.correctedBy ?? 0),
  };
}

/** What was done, in sentences. */
export function outcome(_planned: unknown, { decisionId, rows, moved, resolved }: Corrected): string[] {
  return [
    `Decision ${decisionId}: ${outcomeText(rows)}.`,
    `${countOf(moved, 'submission')} ${agreeing(moved, 'makes', 'make')} room or ${agreeing(moved, 'goes', 'go')} again, ${countOf(resolved, 'invalid row')} ${agreeing(resolved, 'is', 'are')} dealt with. The next registrar run delivers waiting rows.`,
  ];
}

/** A correction as `correct --json` prints it. @param corrected null: it is only planned. */
export function documentOf(
  { source, row, cells, outcome, issues, records }: RowPlan,
  corrected: Corrected | null,
) {
  return {
    dryRun: corrected === null,
    source: source.name,
    row: {
      drop: row.dropId,
      file: row.drop.file,
      line: row.line,
      disposition: outcome.disposition,
      original: outcome.original,
      cells,
    },
    issues: issues.map(({ line: _line, ...issue }) => issue),
    records: records.map(({ key, request }) => ({ key, request })),
    decision: corrected?.decisionId ?? null,
    moved: corrected?.moved ?? null,
    resolved: corrected?.resolved ?? null,
    rows: corrected?.rows ?? null,
  };
}
