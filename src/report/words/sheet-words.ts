import type { SheetLeft, StatedZone } from '../../domain/drop.js';
import { dataRows } from '../../domain/row.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import type { DropSummary } from '../../ledger/books/files/drop-list.js';
import { shown } from '../../normalise/values/reading.js';

/** Notes about a file's sheets for a person who has seen the workbook; none where there is nothing to note. */
export function sheetWords(file: Pick<DropSummary, 'dispositions' | 'hiddenRows' | 'sheetsLeft'>): string[] {
  return [
    ...(file.hiddenRows > 0 ? [hiddenWords(file.hiddenRows, dataRows(file.dispositions))] : []),
    ...(file.sheetsLeft.length > 0 ? [unreadSheetsText(file.sheetsLeft)] : []),
  ];
}

/** What the file says about the zone of its times; null: nothing. */
export function statedZoneWords(zones: readonly StatedZone[]): string | null {
  if (zones.length === 0) return null;
  const origins = zones.map(({ line, text }) =>
    line === null ? `column "${shown(text)}"` : `line ${line} (${shown(text)})`,
  );
  return `zone of the times by ${origins.join(' and ')}`;
}

export function decidingWords(headers: readonly string[]): string {
  const names = headers.map((name) => `"${shown(name)}"`).join(', ');
  return `${names} ${agreeing(headers.length, 'decides', 'decide')} whether a row counts, beside its date and status.`;
}

/** @param data rows of data, the hidden ones among them. */
export function hiddenWords(hidden: number, data: number): string {
  return `${hidden} of ${countOf(data, 'row')} ${agreeing(hidden, 'is', 'are')} hidden in the sheet (a filter?); ${agreeing(hidden, 'it is', 'they are')} imported like the others`;
}

const SHOWN_SHEETS = 10;

/** The visible sheets that don't count. */
export function unreadSheetsText(sheets: readonly SheetLeft[]): string {
  const names = sheets
    .slice(0, SHOWN_SHEETS)
    .map(({ name, rows }) => `"${shown(name)}"${rows === null ? '' : ` (${countOf(rows, 'row')})`}`);
  const more = sheets.length > SHOWN_SHEETS ? ` and ${sheets.length - SHOWN_SHEETS} more` : '';
  return `${agreeing(sheets.length, 'sheet', 'sheets')} not read: ${names.join(', ')}${more}`;
}
