import type { Row } from '../../src/domain/row.js';
import { clearUnder } from '../../src/intake/workbook/sheet/merged-ranges.js';
import { sheetCells } from '../../src/intake/workbook/sheet/sheet-cells.js';
import { ownVocabulary, type XmlHandlers } from '../../src/intake/workbook/xml/parse-xml.js';
import { xmlScanner } from '../../src/intake/workbook/xml/xml-scanner.js';

const CONTEXT = {
  epoch: 1900,
  isUncalculated: false,
  strings: ['zero', 'one', ''],
  struck: null,
  meanings: ['amount', 'date', 'percent', { digits: 4, before: 'E', after: '' }],
} as const;

/** The rows of a sheet given in these pieces, or why it is refused; with the short cut or without. */
export function readSheet(pieces: readonly string[], isShort: boolean): unknown {
  const rows: Row[] = [];
  const { shortcut, ...handlers } = sheetCells('a.xlsx', { ...CONTEXT, clearMerged: clearUnder([]) }, (row) =>
    rows.push(row),
  );
  const chosen: XmlHandlers = isShort && shortcut !== undefined ? { ...handlers, shortcut } : handlers;
  const parser = xmlScanner(ownVocabulary(chosen));
  try {
    for (const piece of pieces) parser.write(piece);
    parser.end();
    return rows;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^(?!it|the workbook|row).*/, 'not sound') : error;
  }
}
