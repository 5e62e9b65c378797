import { issueText } from '../../domain/issue.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { outcomeText } from '../../report/correction-text.js';
import { code, name } from '../../report/sections/section.js';
import { numberText } from '../../report/text/counted.js';
import type { Preview } from '../decision/verb.js';
import { correctedTable, issueTable, requestTable } from '../rows/plan-tables.js';
import type { CorrectedRows } from './handler.js';
import type { FilePlan } from './plan-file.js';
import type { RowPlan } from './plan-row.js';

export type Correcting = RowPlan | FilePlan;

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
export function preview(planned: Correcting): Preview {
  return { ...(planned.kind === 'row' ? rowPreview(planned) : filePreview(planned)), changes: true };
}

function rowPreview({ row, cells, outcome, issues, records }: RowPlan): Omit<Preview, 'changes'> {
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
    seen: String(row.correctedBy ?? 0),
  };
}

function filePreview({ sha256, checked }: FilePlan): Omit<Preview, 'changes'> {
  const { dispositions, refused, corrections, issues, records } = checked;
  const counts = DISPOSITIONS.filter((one) => (dispositions?.[one] ?? 0) > 0);
  return {
    headline:
      counts.length === 0
        ? 'No rows'
        : counts.map((one) => `${numberText(dispositions?.[one] ?? 0)} ${one}`).join(', '),
    lines: refused.length === 0 ? [] : [`A sheet would not be imported: ${refused.map(issueText).join(' ')}`],
    tables: [
      ...corrections.map(correctedTable),
      issueTable('What needs attention', issues),
      requestTable('What would be delivered', records),
    ],
    seen: sha256,
  };
}

export function outcome(planned: Correcting, { decisionId, rows, moved, resolved }: Corrected): string[] {
  const left = planned.kind === 'file' ? planned.left.issues : [];
  return [
    `Decision ${decisionId}: ${outcomeText(rows)}.`,
    `${countOf(moved, 'submission')} ${agreeing(moved, 'makes', 'make')} room or ${agreeing(moved, 'goes', 'go')} again, ${countOf(resolved, 'invalid row')} ${agreeing(resolved, 'is', 'are')} dealt with. The next registrar run delivers waiting rows.`,
    ...left.map(
      ({ sheet, line, ...issue }) =>
        `Left: line ${line}${sheet === null ? '' : ` of sheet ${sheet}`}: ${issueText(issue)}`,
    ),
  ];
}

/** A correction as `correct --json` prints it. @param corrected null: it is only planned. */
export function documentOf(planned: Correcting, corrected: Corrected | null) {
  return {
    dryRun: corrected === null,
    source: planned.source.name,
    ...(planned.kind === 'row' ? rowDocument(planned) : fileDocument(planned)),
    decision: corrected?.decisionId ?? null,
    moved: corrected?.moved ?? null,
    resolved: corrected?.resolved ?? null,
    rows: corrected?.rows ?? null,
  };
}

function rowDocument({ row, cells, outcome, issues, records }: RowPlan) {
  return {
    row: {
      drop: row.dropId,
      file: row.drop.file,
      line: row.line,
      disposition: outcome.disposition,
      original: outcome.original,
      cells,
    },
    file: null,
    corrections: [],
    issues: issues.map(({ line: _line, ...issue }) => issue),
    records: records.map(({ key, request }) => ({ key, request })),
  };
}

function fileDocument({ name, checked: { issues, records, corrections, dispositions } }: FilePlan) {
  return {
    row: null,
    file: { name, dispositions },
    corrections,
    issues: issues.map(({ line, ...issue }) => ({ ...issue, ...(line === undefined ? {} : { line }) })),
    records: records.map(({ line, key, request }) => ({ line, key, request })),
  };
}
