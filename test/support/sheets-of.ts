import { workbookParts } from './workbook-parts.js';
import { writeZip } from './write-zip.js';

/** A text, a number, nothing, or a formula without a saved value, as openpyxl writes it. */
export type SheetCell = string | number | null | { readonly formula: string };

/** A row of a sheet, or one that a filter hides. */
export type SheetLine = readonly SheetCell[] | { readonly hidden: readonly SheetCell[] };

/** A workbook with these sheets, by their names. */
export function sheetsOf(sheets: Readonly<Record<string, readonly SheetLine[]>>): Buffer {
  return writeZip(
    workbookParts({
      sheets: Object.entries(sheets).map(([name, lines]) => ({
        name,
        rows: lines.map(rowXml).join(''),
        dimension: `A1:J${lines.length}`,
      })),
      after: '<calcPr calcId="124519" fullCalcOnLoad="1"/>',
    }),
  );
}

function rowXml(line: SheetLine, index: number): string {
  const isHidden = 'hidden' in line;
  const cells = (isHidden ? line.hidden : line).map((cell, column) => cellXml(cell, column, index + 1));
  return `<row r="${index + 1}"${isHidden ? ' hidden="1"' : ''}>${cells.join('')}</row>`;
}

function cellXml(cell: SheetCell, column: number, line: number): string {
  const at = `r="${String.fromCharCode(0x41 + column)}${line}"`;
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c ${at}><f>${cell.formula}</f><v></v></c>`;
  return `<c ${at} t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
}
