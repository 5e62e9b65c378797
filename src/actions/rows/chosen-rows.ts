import type { OmittedRow } from '../../documents/decisions.js';
import { describeSelection, type Selection } from '../../domain/selection.js';
import type { SelectedCount, SelectedRow } from '../../ledger/submissions/select/selection.js';
import { name, type RichText, type Table } from '../../report/sections/section.js';
import { counted } from '../../report/text/counted.js';

/** How many rows a plan holds; the others are read page by page. */
export const PREVIEW_ROWS = 50;

/** The first rows of a plan, and where there are more the number for each cause. @param noteOn the words beside a row. */
export function rowTables(
  {
    first,
    rows,
  }: { readonly first: readonly SelectedRow[]; readonly rows: Pick<SelectedCount, 'total' | 'groups'> },
  noteOn: (row: SelectedRow) => string = () => '',
): Table[] {
  const more = rows.total - first.length;
  const byCause = new Map<string, number>();
  for (const { state, code, rows: count } of rows.groups) {
    const cause = `${state} ${code}`;
    byCause.set(cause, (byCause.get(cause) ?? 0) + count);
  }
  const chosen: Table = {
    caption: more > 0 ? `The first of ${counted(rows.total, 'row')}` : 'The rows',
    columns: [
      { title: 'Row' },
      { title: 'State', isShort: true },
      { title: 'Cause', isShort: true },
      { title: 'From' },
      { title: 'Note' },
    ],
    rows: first.map((row) => {
      const id = row.submissionId === null ? `${row.drop}:${row.line}` : String(row.submissionId);
      const place = [name(row.file), `:${row.line}`];
      return { cells: [{ kind: 'row', text: id }, row.state, row.code, place, noteOn(row)] };
    }),
    look: 'list',
  };
  const causes: Table = {
    caption: `All rows by cause, those shown and ${more} more`,
    columns: [{ title: 'Rows', isNumber: true }, { title: 'Cause' }],
    rows: [...byCause].map(([cause, count]) => ({ cells: [count, cause] })),
    look: 'list',
  };
  return more > 0 ? [chosen, causes] : [chosen];
}

/** Which of the named rows are left out, and why. @param instead what to do with rows in a state that can't be chosen. */
export function omittedLines(
  omitted: readonly OmittedRow[],
  instead: Readonly<Partial<Record<string, string>>> = {},
): RichText[] {
  return omitted.map(({ submissionId, file, line, state }) => {
    const why = instead[state] ?? '';
    const row = file === null ? [`#${submissionId}`] : [name(file), `:${line}`];
    return ['Left out: ', ...row, ` is ${state}.${why === '' ? '' : ` ${why}`}`];
  });
}

/** The sentence where no row is selected. @param selection null: rows weren't requested. */
export function noMatchText(selection: Selection | null): string {
  return `No row matches${selection === null ? '' : `: ${describeSelection(selection)}`}`;
}
