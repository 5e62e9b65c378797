import { type Issue, issueText } from '../../domain/issue.js';
import { code, type Table } from '../../report/sections/section.js';
import type { CheckedDrop } from '../../staging/check/check-drop.js';

/** The requests of records. */
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
    most: records.length,
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
    most: issues.length,
    look: 'list',
  };
}

function placeOf(sheet: string | undefined, line: number): string {
  return sheet === undefined ? String(line) : `${sheet}:${line}`;
}
