import type { DismissPlan } from '../actions/dismiss.js';
import { describeSelection, type Selection } from '../domain/selection.js';
import { visibleText } from '../domain/text/visible-text.js';
import { textTable } from '../report/text/layout.js';

type Selected = DismissPlan['first'][number];
type LeftOut = DismissPlan['leftOut'][number];

/** Rows that were chosen, and what to say about them. */
interface SelectionShown extends Pick<DismissPlan, 'rows' | 'first' | 'leftOut'> {
  readonly selection: Selection;
}

/**
 * The first rows as a table; where there are more, the number of rows for each cause; and which of the named rows are left
 * out. Ends without a newline.
 * @param note the words beside a row. @param instead what to do with rows in a state that can't be chosen.
 */
export function selectionText(
  { selection, rows, first, leftOut }: SelectionShown,
  columns: number | null,
  noteOf: (row: Selected) => string = () => '',
  instead: Readonly<Record<string, string>> = {},
): string {
  const out = leftOut.map((one) => {
    const why = instead[one.state];
    return visibleText(
      `${nameOf(one)} is ${one.state}, and is left out.${why === undefined ? '' : ` ${why}`}`,
    );
  });
  if (rows.total === 0)
    return [...out, visibleText(`No row fits: ${describeSelection(selection)}.`)].join('\n');
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM', 'NOTE'],
    first.map((row) => [
      row.submissionId ?? `${row.drop}:${row.line}`,
      row.state,
      row.code,
      `${row.file}:${row.line}`,
      noteOf(row),
    ]),
    columns,
  );
  const more = rows.total - first.length;
  const causes = [...rowsByCause(rows)].map(([cause, count]) => `${String(count).padStart(10)}  ${cause}`);
  return [
    ...out,
    table,
    ...(more > 0 ? [`… and ${more} more (--json has all), by cause:`, ...causes.map(visibleText)] : []),
  ].join('\n');
}

function nameOf({ submissionId, file, line }: LeftOut): string {
  return file === null ? `#${submissionId}` : `${file}:${line}`;
}

function rowsByCause({ groups }: DismissPlan['rows']): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { state, code, rows } of groups) {
    const cause = `${state} ${code}`;
    sums.set(cause, (sums.get(cause) ?? 0) + rows);
  }
  return sums;
}
