import { msFromIso } from '../../src/domain/clock.js';
import { workbookParts } from './workbook-parts.js';
import { writeZip } from './write-zip.js';

/** A cell of a workbook to be written; a date is an ISO time without a zone, a time of day one of 24 hours. */
export type WrittenCell = string | number | null | { readonly date: string } | { readonly time: string };

/** A workbook of one sheet that holds these cells. */
export function workbookWith(lines: readonly (readonly WrittenCell[])[]): Buffer {
  const rows = lines.map((cells) => `<row>${cells.map(written).join('')}</row>`).join('');
  return writeZip(
    workbookParts({
      sheets: [{ name: 'Export', rows }],
      formats: ['dd\\.mm\\.yyyy hh:mm', 'h:mm AM/PM'],
    }),
  );
}

const DAY_MS = 86_400_000;

/** Day 0 of workbooks. */
const EPOCH_MS = msFromIso('1899-12-30T00:00:00.000Z');

function written(cell: WrittenCell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  const ms =
    'date' in cell
      ? msFromIso(`${cell.date}${cell.date.length > 10 ? '' : 'T00:00:00'}Z`) - EPOCH_MS
      : msFromIso(`1970-01-01T${cell.time}:00Z`);
  return `<c s="${'date' in cell ? 1 : 2}"><v>${ms / DAY_MS}</v></c>`;
}
