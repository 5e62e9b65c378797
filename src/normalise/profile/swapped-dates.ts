import { type Issue, issueOf } from '../../domain/issue.js';
import { cellText, isDateCell } from '../../domain/row.js';
import type { TableRules } from '../mapping/find-header.js';
import type { MappedColumn } from '../mapping/map-field.js';
import { isDate } from '../time/date-order.js';
import { shown } from '../values/reading.js';
import type { RowWatch } from './profile.js';

/**
 * One question for each column of times: whether a spreadsheet opened it in the wrong locale. It makes date cells, with day and month
 * swapped, of what it can read, and leaves the rest as text. A declared order is not about date cells.
 */
export function watchDates({ operation, header }: Pick<TableRules, 'operation' | 'header'>) {
  return operation.fields.flatMap(({ name, kind }) => {
    const column = header.match.mapped[name];
    return kind === 'timestamp' && column !== undefined ? [watch(column)] : [];
  });
}

function watch({ header, index }: MappedColumn): RowWatch {
  /** Date cells with a day up to 12, which may be swapped, and date cells with a later day, which can't be. */
  const early = { count: 0, first: '' };
  let late = 0;
  /** The first text with a number above 12, which has only one possible order: it would be a date cell, had that been the right one. */
  let proof: { readonly place: string; readonly isMonthFirst: boolean } | null = null;
  return {
    add: ({ cells, line }) => {
      const cell = cells[index];
      if (isDateCell(cell)) {
        const day = cell.date.slice(0, 10);
        if (Number(day.slice(8)) > LAST_MONTH) late += 1;
        else if (++early.count === 1) early.first = `line ${line}: ${day}`;
        return;
      }
      const [first, second] = (typeof cell === 'string' ? numbersOf(cell) : null) ?? [0, 0];
      const [larger, smaller] = [Math.max(first, second), Math.min(first, second)];
      if (larger <= LAST_MONTH || !isDate({ year: LEAP_YEAR, month: smaller, day: larger })) return;
      proof ??= { place: `line ${line}: "${shown(cellText(cell))}"`, isMonthFirst: second > LAST_MONTH };
    },
    asksForAll: () => early.count > 0 && proof !== null,
    result: () => {
      // A person may have corrected or added one cell in twenty since.
      if (early.count === 0 || proof === null || late * 20 > early.count + late) return {};
      const [expected, written] = proof.isMonthFirst ? ['day', 'month'] : ['month', 'day'];
      const issue: Issue = issueOf(
        'dates-swapped',
        header,
        `${header} holds date cells, ${early.count} of ${early.count + late} with a day up to 12 (the first in ${early.first}), beside dates in text with a number above 12 (the first in ${proof.place}): a spreadsheet that expects the ${expected} first has probably opened a file that writes the ${written} first, swapped day and month where that gives a date, and left the rest as text`,
        'have the file exported again and drop it unchanged, or open it with the text import of the spreadsheet and the right order of dates, so that all are date cells; if the date cells are right, make date cells of the texts',
      );
      return { issues: [issue] };
    },
  };
}

const LAST_MONTH = 12;

const LEAP_YEAR = 2024;

const NUMERIC_DATE = /^\s*(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(?:\d{4}|\d{2})(?!\d)/;

function numbersOf(text: string): readonly [number, number] | null {
  const match = NUMERIC_DATE.exec(text);
  return match ? [Number(match[1]), Number(match[3])] : null;
}
