import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import type { FoundHeader } from '../mapping/find-header.js';
import type { MappedColumn } from '../mapping/map-field.js';
import { isDate } from '../time/date-order.js';
import { issueOf, shown } from '../values/reading.js';
import { trimText } from '../values/trim-text.js';
import type { RowWatch, WatchSource } from './profile.js';

/** The type of identifiers that are addresses of pages; publicly known, not in the specification. */
export const URL_TYPE = 'ContentUrl';

/**
 * Finds the type of content identifiers, where neither a column nor the source gives it and some are addresses of pages: it is
 * `ContentUrl` if all are. A mixture has no single type.
 */
export function watchUrlIds(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  const { mapped } = header.match;
  const typeField = operation.fields.find(({ choices }) => choices?.includes(URL_TYPE));
  const content = operation.fields.find(({ kind, required }) => kind === 'identifier' && required);
  const column = content && mapped[content.name];
  if (!typeField || !column || mapped[typeField.name] || source.defaults[typeField.name] !== undefined) {
    return [];
  }

  let isFirstBlank = false;
  let url: Found | null = null;
  let code: Found | null = null;
  return [
    {
      name: `addresses in ${content.name}`,
      isOfRecords: true,
      add: ({ cells, line }: Row) => {
        const cell = cells[column.index];
        if (isUrl(cell)) {
          url ??= { text: cellText(cell), line };
        } else if (!isBlankCell(cell)) {
          code ??= { text: Buffer.from(cellText(cell)).toString(), line };
        } else if (url === null && code === null) {
          isFirstBlank = true;
        }
      },
      // For a sample, the first row decides how all are read.
      asksForAll: () => (url !== null && code !== null) || isFirstBlank,
      isOpen: () => true,
      result: () => {
        if (url === null) return {};
        return code === null
          ? { implied: { [typeField.name]: URL_TYPE } }
          : { issues: [mixed(column.header, typeField.name, url, code)] };
      },
    },
  ];
}

/** True for the address of a page. Nearly no identifier begins with h, so that this is cheap. */
export function isUrl(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string') return false;
  const first = cell.charCodeAt(0);
  if (first !== 104 && first !== 72 && first > 32 && first < 127) return false;
  return /^https?:\/\/[^\s/]+\S*$/i.test(trimText(cell));
}

interface Found {
  readonly text: string;
  readonly line: number;
}

function mixed(column: string, typeField: string, url: Found, code: Found): Issue {
  const message = `${column} holds addresses of pages ("${shown(url.text)}" in line ${url.line}) and other identifiers ("${shown(code.text)}" in line ${code.line}), and nothing shows the type of each`;
  const remedy = `have the file exported with a column that says it, and name it: columns: { ${typeField}: … }; or, where all are of one type, say it: defaults: { ${typeField}: ExternalId } for the source in registrar.yaml`;
  return issueOf('identifier-type-unclear', column, message, remedy, shown(url.text));
}

/**
 * One question for each column of times: whether a spreadsheet opened it in the wrong locale. It turns dates that it can read into
 * date cells, with day and month swapped, and leaves as text the dates that have no month in its order. It is raised also where
 * the order is declared: a declared order is not about date cells.
 */
export function watchDates(header: FoundHeader, operation: Operation): readonly RowWatch[] {
  return operation.fields.flatMap(({ name, kind }) => {
    const column = header.match.mapped[name];
    return kind === 'timestamp' && column !== undefined ? [watch(name, column)] : [];
  });
}

function watch(field: string, { header, index }: MappedColumn): RowWatch {
  /** Date cells with a day up to 12, which may be swapped, and date cells with a later day, which can't be. */
  const early = { count: 0, first: '' };
  let late = 0;
  /** The first text with a number above 12, which has only one possible order: it would be a date cell, had that been the right one. */
  let telling: { readonly place: string; readonly isMonthFirst: boolean } | null = null;
  return {
    name: `swapped ${field}`,
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
      if (larger <= LAST_MONTH || !isDay(larger, smaller)) return;
      telling ??= { place: `line ${line}: "${shown(cellText(cell))}"`, isMonthFirst: second > LAST_MONTH };
    },
    asksForAll: () => early.count > 0 && telling !== null,
    // The other kind of cell may come at any time: spreadsheets sort dates and texts apart.
    isOpen: () => true,
    result: () => {
      // A person may have corrected or added one cell in twenty since.
      if (early.count === 0 || telling === null || late * 20 > early.count + late) return {};
      const [expected, written] = telling.isMonthFirst ? ['day', 'month'] : ['month', 'day'];
      const issue: Issue = {
        code: 'dates-swapped',
        column: header,
        value: null,
        message: `${header} holds date cells, ${early.count} of ${early.count + late} with a day up to 12 (the first in ${early.first}), beside dates in text with a number above 12 (the first in ${telling.place}): a spreadsheet that expects the ${expected} first has probably opened a file that writes the ${written} first, swapped day and month where that gives a date, and left the rest as text`,
        remedy:
          'have the file exported again and drop it unchanged, or open it with the text import of the spreadsheet and the right order of dates, so that all are date cells; if the date cells are right, make date cells of the texts',
      };
      return { issues: [issue] };
    },
  };
}

const LAST_MONTH = 12;

/** True for a day that exists in some year: any other date would stay text in every order. */
function isDay(day: number, month: number): boolean {
  return isDate({ year: LEAP_YEAR, month, day });
}

const LEAP_YEAR = 2024;

function isDateCell(cell: Cell | undefined): cell is { readonly date: string } {
  return typeof cell === 'object' && cell !== null && 'date' in cell;
}

const NUMERIC_DATE = /^\s*(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(?:\d{4}|\d{2})(?!\d)/;

/** The first two numbers of a date that has its year last. The third character shows a date that begins with its year. */
function numbersOf(text: string): readonly [number, number] | null {
  const third = text.charCodeAt(2);
  if (third >= 0x30 && third <= 0x39 && text.charCodeAt(1) >= 0x30 && text.charCodeAt(0) > 0x20) return null;
  const found = NUMERIC_DATE.exec(text);
  return found ? [Number(found[1]), Number(found[3])] : null;
}
