import type { CorrectedSheet } from '../../documents/correction.js';
import { type Issue, issueText } from '../../domain/issue.js';
import { code, type Table } from '../../report/sections/section.js';
import type { CheckedDrop } from '../../staging/check/check-drop.js';

export function requestTable(
  caption: string,
  records: readonly (CheckedDrop['records'][number] & { readonly sheet?: string })[],
): Table {
  return {
    caption,
    columns: [{ title: 'Line' }, { title: 'Request' }],
    rows: records.map(({ sheet, line, request }) => ({
      cells: [
        placeOf(sheet, line),
        code(`${request.method} ${request.path} ${JSON.stringify(request.body)}`),
      ],
    })),
    look: 'list',
  };
}

/** Why rows are no records. Issues of a whole file are left out. @param drop the rows' drop; absent: they are lines of a file. */
export function issueTable(
  caption: string,
  issues: readonly (Issue & { readonly sheet?: string; readonly line?: number })[],
  drop?: number,
): Table {
  return {
    caption,
    columns: [
      { title: drop === undefined ? 'Line' : 'Row' },
      { title: 'Code', isShort: true },
      { title: 'What, and what to do' },
    ],
    rows: issues.flatMap((issue) => {
      if (issue.line === undefined) return [];
      const place = placeOf(issue.sheet, issue.line);
      const row = drop === undefined ? place : { kind: 'row' as const, text: `${drop}:${issue.line}` };
      return { cells: [row, issue.code, issueText(issue)] };
    }),
    look: 'list',
  };
}

/** What a sheet of corrected rows does to the rows that it corrects. */
export function correctedTable({ sheet, corrects, rows }: CorrectedSheet): Table {
  const files = corrects.map(({ drop, file }) => `${file} (drop ${drop})`).join(', ');
  return {
    caption: `${sheet === null ? 'Corrects' : `Sheet ${sheet} corrects`} ${files}`,
    columns: [
      { title: 'Line', isNumber: true },
      { title: 'Original' },
      { title: 'Would be', isShort: true },
      { title: 'And the original', isShort: true },
    ],
    rows: rows.map((row) => ({
      cells: [
        row.line,
        { kind: 'row', text: `${row.drop}:${row.originalLine}` },
        row.disposition,
        row.original,
      ],
    })),
    look: 'list',
  };
}

function placeOf(sheet: string | undefined, line: number): string {
  return sheet === undefined ? String(line) : `${sheet}:${line}`;
}
