import { type Cell, type Row, struckCell } from '../../../domain/row.js';
import type { WorkbookFacts } from '../../opened-drop.js';
import { unreadable } from '../../unreadable.js';
import type { CellStyles } from '../cell-styles.js';
import { cellValue, numberCell } from '../cell-value.js';
import { richText, unescapeText } from '../rich-text.js';
import { codeUnits } from '../xml/code-units.js';
import type { XmlHandlers } from '../xml/own-vocabulary.js';
import { isTrue, type XmlAttributes } from '../xml/xml-parser.js';
import { rangeOf } from './cell-range.js';
import { COLUMNS_MAX, columnLetters, columnOf, ROWS_MAX, rowOf } from './cell-reference.js';
import type { MergedCells } from './merged-cells.js';
import { decimalNumber, plainCell, wholeNumber } from './plain-cell.js';
import { plainRow } from './plain-row.js';
import { UNSAVED, type UnsavedArrays, unsavedArrays } from './unsaved-arrays.js';

/** The parts of a workbook that a sheet's cells refer to. */
export interface SheetContext extends CellStyles {
  readonly epoch: WorkbookFacts['epoch'];
  /** True where the saved results of formulas are left to whoever opens the workbook. */
  readonly isUncalculated: boolean;
  /** The table of texts; one of which something is struck through is a cell that says so. */
  readonly strings: readonly Cell[];
  readonly merges: MergedCells;
}

/**
 * Makes rows of a sheet's XML. Rows of formatting alone don't exist for a person and are left out; an empty text is a
 * value, of merged cells the one at the top left alone has a value. A formula without a saved value is an error. Cells and
 * rows without reference follow the one before.
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

  /** The cell being read. */
  let column = 0;
  let type = '';
  let style = '';
  let raw: string | null = null;
  let hasInline = false;
  /** null: the cell has no formula; '' for one of its own or shared, 'array' for one that fills `reference`. */
  let formula: string | null = null;
  let reference = '';
  /** null until there is one, as in nearly all sheets. */
  let arrays: UnsavedArrays | null = null;
  let collecting: 'value' | 'inline' | null = null;

  const unitsOf = codeUnits();
  const plain = plainCell();
  const rows = plainRow();
  /** Elements open within the row; -1 outside of rows. */
  let depth = -1;

  function openRow(attributes: XmlAttributes): void {
    const reference = attributes.get('r');
    // Rows reached by `step` have the same tag except for the number.
    isHidden = isTrue(attributes.get('hidden'));
    const next = reference === undefined ? line + 1 : Number(reference);
    if (!(Number.isInteger(next) && next > line)) throw damaged(`row "${reference}" follows row ${line}`);
    if (next > ROWS_MAX) throw damaged(`row ${next} lies beyond the last row of a sheet, ${ROWS_MAX}`);
    lineIsCounted = reference === undefined;
    rows.open();
    beginRow(next);
  }

  function beginRow(next: number): void {
    if (arrays !== null) giveUnsavedRows(arrays, next);
    line = next;
    depth = 0;
    cells = [];
    column = 0;
  }

  function openCell(attributes: XmlAttributes): void {
    const reference = attributes.get('r') ?? '';
    if (lineIsCounted) {
      lineIsCounted = false;
      line = Math.max(line, Math.min(rowOf(reference) ?? line, ROWS_MAX));
    }
    column = columnOf(reference) || column + 1;
    if (column > COLUMNS_MAX) throw damaged(`row ${line} has a cell beyond the last column of a sheet, XFD`);
    type = attributes.get('t') ?? '';
    style = attributes.get('s') ?? '';
    raw = null;
    hasInline = false;
    formula = null;
  }

  function closeCell(): void {
    const value = readValue();
    place(struck?.has(Number(style)) ? struckCell(value) : value);
  }

  function place(value: Cell): void {
    if (value === null) return;
    if (cells.length >= column && cells[column - 1] !== null) {
      throw damaged(`it has a cell ${columnLetters(column)}${line} twice`);
    }
    while (cells.length < column - 1) cells.push(null);
    cells[column - 1] = value;
  }

  /** Reads successive plain cells, and continues through plain rows. */
  function readPlain(source: string, start: number): number {
    if (depth < 0) rows.remember(source, start);
    // A row without a number gets it from its first cell, which the parser of XML reads.
    if (depth !== 0 || lineIsCounted) return -1;
    const units = unitsOf(source);
    let at = start;
    for (;;) {
      const after = readPlainCell(source, units, at);
      const next = after < 0 ? readPlainStep(source, at) : after;
      if (next < 0) return at === start ? -1 : at;
      at = next;
    }
  }

  function readPlainCell(source: string, units: Uint16Array, start: number): number {
    const after = plain.read(units, start);
    if (after < 0) return -1;
    column = plain.column || column + 1;
    if (column > COLUMNS_MAX) throw damaged(`row ${line} has a cell beyond the last column of a sheet, XFD`);
    if (plain.valueStart >= 0) {
      const value = plainValue(source, units);
      place(struck?.has(plain.style) ? struckCell(value) : value);
    }
    return after;
  }

  function readPlainStep(source: string, start: number): number {
    const after = rows.step(source, start);
    // A row out of order is left to the parser of XML, which reports it.
    if (after < 0 || rows.line <= line || rows.line > ROWS_MAX) return -1;
    closeRow();
    beginRow(rows.line);
    return after;
  }

  function plainValue(source: string, units: Uint16Array): Cell {
    const { type, valueStart, valueEnd } = plain;
    const meaning = context.meanings[plain.style] ?? 'amount';
    if (type === '' || type === 'n') {
      const value = decimalNumber(units, valueStart, valueEnd);
      if (!Number.isNaN(value)) return numberCell(value, meaning, context.epoch);
    } else if (type === 's') {
      const text = context.strings[wholeNumber(units, valueStart, valueEnd)];
      if (text !== undefined) return text;
    }
    const raw = source.slice(valueStart, valueEnd);
    if (type === 'inlineStr') return unescapeText(raw);
    if (type === 's') return raw.trim() === '' ? null : sharedString(raw);
    return cellValue(type, raw, meaning, context.epoch);
  }

  function readValue(): Cell {
    if (formula !== null && isUnsaved()) {
      const range = formula === 'array' ? rangeOf(reference) : null;
      if (range !== null) {
        arrays ??= unsavedArrays();
        arrays.add(range);
      }
      return UNSAVED;
    }
    if (type === 'inlineStr' || (raw === null && hasInline)) return hasInline ? inline.take() : null;
    if (raw === null) return null;
    if (type === 's') return raw.trim() === '' ? null : sharedString(raw);
    return cellValue(type, raw, context.meanings[Number(style)] ?? 'amount', context.epoch);
  }

  /**
   * Excel and LibreOffice write the empty text as an empty value of a text formula; programs that can't calculate leave
   * the value out or empty, or write a 0 and ask whoever opens the workbook to calculate. Those in Java write 0.0.
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

  /** Gives the rows before this line that exist only through an array formula of a row above. */
  function giveUnsavedRows(arrays: UnsavedArrays, before: number): void {
    const isNextHidden = isHidden;
    isHidden = false;
    let cellsGiven = 0;
    for (
      let next = arrays.nextFrom(line + 1);
      next !== null && next < before;
      next = arrays.nextFrom(next + 1)
    ) {
      line = next;
      cells = [];
      closeRow();
      cellsGiven += cells.length;
      if (cellsGiven > UNSAVED_CELLS_MAX) {
        throw unreadable(
          path,
          `an array formula fills more than ${UNSAVED_CELLS_MAX} cells up to row ${line}, and their values were not saved`,
          'Open the file in Excel or LibreOffice and save it.',
        );
      }
    }
    isHidden = isNextHidden;
  }

  function closeRow(): void {
    arrays?.mark(line, cells);
    allCells += cells.length;
    if (allCells > cellsMax) {
      throw unreadable(
        path,
        `the sheet has more than ${cellsMax} cells up to row ${line}, gaps included`,
        'Remove what stands far to the right, or save the data as CSV.',
      );
    }
    depth = -1;
    if (cells.length > 0) context.merges.row(line, cells);
    if (cells.length > 0) onRow(isHidden ? { line, cells, isHidden } : { line, cells });
  }

  function damaged(what: string) {
    return unreadable(
      path,
      `the workbook is damaged: ${what}`,
      'Open it in Excel or LibreOffice and save it anew.',
    );
  }

  return {
    shortcut: readPlain,
    open(name, attributes) {
      if (depth >= 0) depth += 1;
      if (name === 'c') openCell(attributes);
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
      } else if (name === 'mergeCell') {
        context.merges.range(attributes.get('ref') ?? '');
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
      else if (name === 'sheetData' && arrays !== null) giveUnsavedRows(arrays, ROWS_MAX + 1);
      else if (collecting === 'inline') inline.close(name);
    },
  };
}

/** A full sheet of 100 columns. Gaps count: a cell in XFD alone makes 16,383 of them from 40 bytes. */
const CELLS_MAX = 100_000_000;

/** All such rows are created at once. */
const UNSAVED_CELLS_MAX = 1_000_000;
