import { type Issue, type IssueCode, issueOf } from '../domain/issue.js';
import { cellText, isBlankCell, isBlankRow, isUnsavedFormula, type Row } from '../domain/row.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { TableRules } from './mapping/find-header.js';
import { createSampleNormaliser } from './normalise-row.js';
import { kindOf } from './profile/profile.js';
import { shown } from './values/reading.js';

/**
 * Judges by a header and the rows below it, `alike`, whether rows elsewhere could be records of the same table: all that a record
 * needs can be read, and identifiers are numbers, codes, words or addresses as in the table. Where a record needs no time, any text
 * could be one: then no row is likely.
 */
export function likelyRecords(
  { operation, source, header }: TableRules,
  alike: readonly Row[],
): (row: Row) => boolean {
  const needed = operation.fields.flatMap(({ name, kind, required }) => {
    const column = header.match.mapped[name];
    return required && column ? [{ kind, index: column.index }] : [];
  });
  if (!needed.some(({ kind }) => kind === 'timestamp')) return () => false;
  const normalise = createSampleNormaliser({ operation, source, header: { ...header, line: 0 } });
  const data = alike.filter((row) => row.line > header.line && !isBlankRow(row.cells));
  const ids = needed.flatMap(({ kind, index }) =>
    kind === 'timestamp' ? [] : [{ index, kinds: new Set(data.map(({ cells }) => kindOf(cells[index]))) }],
  );
  return (row) => {
    const read = normalise(row);
    if (read.disposition === 'non-data' || read.disposition === 'blank') return false;
    if (read.disposition === 'undecided' && !read.isSound) return false;
    if ('issues' in read && read.issues.some(({ code }) => CODES_OF_OTHERS.includes(code))) return false;
    return ids.every(({ index, kinds }) => {
      const cell = row.cells[index];
      return data.length === 0 || isUnsavedFormula(cell) || kinds.has(kindOf(cell));
    });
  };
}

/** Why a row is none of the table; it may have another mistake, such as a time out of range. */
const CODES_OF_OTHERS: readonly IssueCode[] = [
  ...(['value-missing', 'email-invalid', 'identifier-damaged', 'identifier-invalid'] as const),
  ...(['choice-invalid', 'timestamp-invalid', 'row-ragged', 'row-other-table'] as const),
];

/**
 * Rows above the header that would be records under it, as in a table that was sorted together with its header: other rows above
 * a header are no data. null where there is none.
 * @param rows the first rows of the drop, including those above the header.
 */
export function dataAboveHeader(rows: readonly Row[], rules: TableRules): Issue | null {
  const { header } = rules;
  if (rows[0] === undefined || rows[0].line >= header.line) return null;
  const isLikely = likelyRecords(rules, rows);
  const above = rows.filter((row) => row.line < header.line && isLikely(row));
  const [first] = above;
  if (first === undefined) return null;
  const text = shown(
    first.cells
      .filter((cell) => !isBlankCell(cell))
      .map(cellText)
      .join(' '),
  );
  const message = `the header is line ${header.line}, and above it ${agreeing(above.length, 'is', 'are')} ${countOf(above.length, 'row')} that would be ${agreeing(above.length, 'a record', 'records')} below it, the first in line ${first.line} ("${text}"): the table was probably sorted together with its header`;
  const remedy = 'put the header into line 1, or sort the table again with "My data has headers" switched on';
  return issueOf('data-above-header', null, message, remedy, text);
}
