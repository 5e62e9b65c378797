import type { Issue } from '../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { Field, Operation } from '../operations/operation.js';
import { isTime } from './likely-records.js';
import type { FoundHeader } from './mapping/find-header.js';
import { type FieldPlan, fieldPlans, type RowSource } from './normalise-row.js';
import { NO_PROFILE } from './profile/profile.js';
import { shown } from './values/reading.js';

/**
 * Rows above the header that would be records under it, as in a table that was sorted together with its header: other rows above
 * a header are no data. null where there is none. Every column that a record needs must hold a value that the column can hold, so
 * that no title, filter or table of totals counts.
 * @param rows the first rows of the drop, including those above the header.
 */
export function dataAboveHeader(
  rows: readonly Row[],
  header: FoundHeader,
  operation: Operation,
  source: RowSource,
): Issue | null {
  const below = rows.filter(({ line }) => line > header.line);
  // A date out of range is still a date, so the time of day doesn't matter here.
  const tests = fieldPlans(operation, source, header, NO_PROFILE, 0)
    .filter(({ index, required }) => index !== -1 && required)
    .map((plan) => ({
      index: plan.index,
      judge: judgeOf(
        operation.fields.find(({ name }) => name === plan.name)?.kind,
        plan,
        below.map(({ cells }) => cells[plan.index]),
      ),
    }));
  if (tests.length === 0) return null;
  const named = header.columns.flatMap((text, index) => (text.trim() === '' ? [] : [index]));
  const isRecord = ({ cells }: Row) => {
    const found = tests.map(({ index, judge }) => judge(cells[index]));
    if (found.includes('no')) return false;
    // An address alone may name the recipient of the report: then the rest of the row must be filled too.
    const filled = named.filter((index) => !isBlankCell(cells[index])).length;
    return found.includes('yes') && (tests.length > 1 || filled * 2 >= named.length);
  };
  const records = rows.filter((row) => row.line < header.line && isRecord(row));
  const [first] = records;
  return first ? misplaced(header, records.length, first) : null;
}

/** Whether a cell can be a field's: `perhaps` where nearly any word could. */
type Judgement = 'yes' | 'perhaps' | 'no';

/** @param below the column's values below the header, as far as they are known. */
function judgeOf(
  kind: Field['kind'] | undefined,
  plan: FieldPlan,
  below: readonly (Cell | undefined)[],
): (cell: Cell | undefined) => Judgement {
  const values = new Set(below.map(textOf));
  const shapes = new Set(below.map(shapeOf));
  const likeBelow = (cell: Cell | undefined): Judgement => {
    if (isBlankCell(cell)) return 'no';
    if (values.has(textOf(cell))) return 'yes';
    return shapes.has(shapeOf(cell)) && /\d/.test(textOf(cell)) ? 'yes' : 'perhaps';
  };
  if (kind === 'learner') {
    return (cell) => {
      if (ADDRESS.test(textOf(cell))) return 'yes';
      return shapes.has(shapeOf(cell)) ? likeBelow(cell) : 'no';
    };
  }
  if (kind !== 'timestamp') return likeBelow;
  return (cell) => (isTime(plan, cell) ? 'yes' : 'no');
}

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

function textOf(cell: Cell | undefined): string {
  return cellText(cell).trim();
}

/** What a cell consists of: figures, letters, several words. '' for an empty one. */
function shapeOf(cell: Cell | undefined): string {
  const text = textOf(cell);
  return [/\d/, /\p{L}/u, /\s/].map((kind) => (kind.test(text) ? 'x' : text === '' ? '' : '-')).join('');
}

function misplaced(header: FoundHeader, count: number, first: Row): Issue {
  const text = shown(
    first.cells
      .filter((cell) => !isBlankCell(cell))
      .map(cellText)
      .join(' '),
  );
  return {
    code: 'data-above-header',
    column: null,
    value: text,
    message: `the header is line ${header.line}, and above it ${agreeing(count, 'stands', 'stand')} ${countOf(count, 'row')} that would be ${agreeing(count, 'a record', 'records')} below it, the first in line ${first.line} ("${text}"): the table was probably sorted together with its header`,
    remedy: 'put the header into line 1, or sort the table again with "My data has headers" switched on',
  };
}
