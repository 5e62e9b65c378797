import { type Cell, type Row, struckCell, UNSAVED_FORMULA } from '../../../domain/row.js';
import type { WorkbookFacts } from '../../opened-drop.js';
import { unreadable } from '../../unreadable.js';
import type { CellStyles } from '../cell-value.js';
import { cellValue } from '../cell-value.js';
import { richText } from '../rich-text.js';
import type { XmlHandlers } from '../xml/parse-xml.js';
import { isTrue, type XmlAttributes } from '../xml/xml-scanner.js';
import {
  COLUMNS_MAX,
  columnLetters,
  columnOf,
  isSeveral,
  ROWS_MAX,
  rangeOf,
  rowOf,
} from './merged-ranges.js';

/** The parts of a workbook that a sheet's cells refer to. */
export interface SheetContext extends CellStyles {
  readonly epoch: WorkbookFacts['epoch'];
  /** True where the program that opens the workbook has to calculate its formulas. */
  readonly isUncalculated: boolean;
  /** Shared strings; a partly struck-through one is a `struck` cell. */
  readonly strings: readonly Cell[];
  /** As from `clearUnder`. */
  readonly clearMerged: (line: number, cells: Cell[]) => void;
}

/**
 * Makes rows of a sheet's XML. Rows of formatting alone are left out; an empty text is a value. A formula without a saved value is an
 * error. Cells and rows without reference follow the one before.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its steps share the row and the cell that they read
export function sheetCells(
  path: string,
  context: SheetContext,
  onRow: (row: Row) => void,
  cellsMax = CELLS_MAX,
): XmlHandlers {
  const { struck } = context;
  const inline = richText();
  let line = 0;
  let cells: Cell[] = [];
  let allCells = 0;
  let isHidden = false;
  /** The row gave no number: its first cell's reference may. */
  let lineIsCounted = false;

  let column = 0;
  let type = '';
  let style = '';
  let raw: string | null = null;
  let hasInline = false;
  /** null: the cell has no formula; '' for an own or shared one, 'array' for one that fills `reference`. */
  let formula: string | null = null;
  let reference = '';
  let collecting: 'value' | 'inline' | null = null;

  /** Elements open within the row; -1 outside of rows. */
  let depth = -1;

  function openRow(attributes: XmlAttributes): void {
    const reference = attributes.get('r');
    const next = reference === undefined ? line + 1 : Number(reference);
    if (!(Number.isInteger(next) && next > line)) throw damaged(`row "${reference}" follows row ${line}`);
    if (next > ROWS_MAX) throw damaged(`row ${next} is beyond the last row of a sheet, ${ROWS_MAX}`);
    isHidden = isTrue(attributes.get('hidden'));
    lineIsCounted = reference === undefined;
    line = next;
    depth = 0;
    cells = [];
    column = 0;
  }

  function openCell(reference: string, cellStyle: string, cellType: string): void {
    if (lineIsCounted) {
      lineIsCounted = false;
      line = Math.max(line, Math.min(rowOf(reference) ?? line, ROWS_MAX));
    }
    column = columnOf(reference) || column + 1;
    if (column > COLUMNS_MAX) throw damaged(`row ${line} has a cell beyond the last column of a sheet, XFD`);
    type = cellType;
    style = cellStyle;
    raw = null;
    hasInline = false;
    formula = null;
  }

  function closeCell(): void {
    const read = readValue();
    const value = struck?.has(Number(style)) ? struckCell(read) : read;
    if (value === null) return;
    if (cells.length >= column && cells[column - 1] !== null) {
      throw damaged(`it has a cell ${columnLetters(column)}${line} twice`);
    }
    while (cells.length < column - 1) cells.push(null);
    cells[column - 1] = value;
  }

  /** Reads a cell in the form of nearly all cells; any other one takes three times as long. */
  function readPlainCell(source: string, start: number): number {
    if (depth !== 0) return -1;
    PLAIN_CELL.lastIndex = start;
    const match = PLAIN_CELL.exec(source);
    if (match === null) return -1;
    openCell(match[1] ?? '', match[2] ?? '', match[3] ?? '');
    raw = match[4] ?? null;
    closeCell();
    return PLAIN_CELL.lastIndex;
  }

  function readValue(): Cell {
    if (formula !== null && isUnsaved()) {
      const filled = formula === 'array' ? rangeOf(reference) : null;
      // Only the first cell of its range holds an array formula; the others are empty, and their rows may be missing.
      if (filled !== null && isSeveral(filled))
        throw unreadable(path, 'array-unsaved', { cell: `${columnLetters(column)}${line}`, reference });
      return UNSAVED;
    }
    if (type === 'inlineStr' || (raw === null && hasInline)) return hasInline ? inline.take() : null;
    if (raw === null) return null;
    if (type === 's') return raw.trim() === '' ? null : sharedString(raw);
    return cellValue(type, raw, context.meanings[Number(style)] ?? 'amount', context.epoch);
  }

  /**
   * Programs that can't calculate leave the value out or empty, or write a 0 (in Java 0.0) and leave it to the program that opens the
   * workbook to calculate. Excel and LibreOffice write an empty text as an empty value of a text formula.
   */
  function isUnsaved(): boolean {
    if (hasInline) return false;
    if (raw === null || (raw.trim() === '' && type !== 'str')) return true;
    return (context.isUncalculated && raw === '0' && type !== 'b') || (raw === '0.0' && type !== 'str');
  }

  function sharedString(index: string): Cell {
    const text = context.strings[Number(index)];
    if (text !== undefined) return text;
    throw damaged(
      `cell ${columnLetters(column)}${line} refers to text ${index} of ${context.strings.length}`,
    );
  }

  function closeRow(): void {
    allCells += cells.length;
    if (allCells > cellsMax) throw unreadable(path, 'too-many-cells', { most: cellsMax, line });
    depth = -1;
    context.clearMerged(line, cells);
    if (cells.length > 0) onRow(isHidden ? { line, cells, isHidden } : { line, cells });
  }

  function damaged(what: string) {
    return unreadable(path, 'workbook-damaged', { what });
  }

  return {
    shortcut: readPlainCell,
    open(name, attributes) {
      if (depth >= 0) depth += 1;
      if (name === 'c')
        openCell(attributes.get('r') ?? '', attributes.get('s') ?? '', attributes.get('t') ?? '');
      else if (name === 'f') {
        formula = attributes.get('t') === 'array' ? 'array' : '';
        reference = attributes.get('ref') ?? '';
      } else if (name === 'v') {
        collecting = 'value';
        raw = '';
      } else if (name === 'row') openRow(attributes);
      else if (name === 'is') {
        collecting = 'inline';
        hasInline = true;
        inline.take();
      } else if (collecting === 'inline') inline.open(name, attributes);
    },
    text(text) {
      if (collecting === 'value') raw += text;
      else if (collecting === 'inline') inline.text(text);
    },
    close(name) {
      if (depth > 0) depth -= 1;
      if (name === 'c') closeCell();
      else if (name === 'v' || name === 'is') collecting = null;
      else if (name === 'row') closeRow();
      else if (collecting === 'inline') inline.close(name);
    },
  };
}

const UNSAVED: Cell = { error: UNSAVED_FORMULA };

/** `<c r="A1" s="1" t="s"><v>1</v></c>`, with a value that is written as is, or none. */
const PLAIN_CELL =
  /<c(?: r="([A-Z]{1,3}\d{1,7})")?(?: s="(\d{1,6})")?(?: t="([a-zA-Z]{1,9})")?(?:\/>|>(?:<v>([^<&\]]*)<\/v>)?<\/c>)/y;

/** A full sheet of 100 columns. Gaps count: a cell in XFD alone makes 16,383 of them from 40 bytes. */
const CELLS_MAX = 100_000_000;
