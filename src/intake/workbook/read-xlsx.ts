import type { Cell, Row } from '../../domain/row.js';
import type { SheetFacts, WorkbookFacts } from '../opened-drop.js';
import { findSwallowed, LINE_END } from '../swallowed-rows.js';
import { DELIMITERS } from '../text/read-csv.js';
import { unreadable } from '../unreadable.js';
import { type Archive, type Directory, openArchive } from '../zip-entries.js';
import { type CellStyles, NO_STYLES, readCellStyles } from './cell-value.js';
import { readSharedStrings } from './rich-text.js';
import { type CellRange, clearUnder, columnLetters, readMergedRanges, rowOf } from './sheet/merged-ranges.js';
import { type SheetContext, sheetCells } from './sheet/sheet-cells.js';
import { findWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.js';
import { parseXml } from './xml/parse-xml.js';

/** A workbook whose plan is known; its rows are read from the file on request. */
export interface Workbook {
  readonly facts: WorkbookFacts;
  readonly parts: WorkbookParts;
  readonly directory: Directory;
  /** Parts that were read for one sheet and serve the others too. */
  readonly read: {
    readonly merges: Map<string, readonly CellRange[]>;
    /** Held only while rows are read: another thread may read the same workbook meanwhile, with its own texts. */
    strings: WeakRef<readonly Cell[]> | null;
    styles: CellStyles | null;
  };
}

/** Finds out what a zip archive holds as a workbook. Throws OperatorError when it holds none that can be read. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const archive = await openArchive(path);
  try {
    const parts = await findWorkbookParts(path, archive);
    const sheets: SheetFacts[] = [];
    for (const { name, state, part } of parts.sheets) {
      sheets.push({ name, state, rows: await readClaimedRows(path, archive, part) });
    }
    return {
      facts: { epoch: parts.epoch, sheets },
      parts,
      directory: archive.directory,
      read: { merges: new Map(), strings: null, styles: null },
    };
  } finally {
    archive.close();
  }
}

/** The rows of the named sheet, else of the first visible one. */
export async function* readSheet(
  path: string,
  workbook: Workbook,
  name: string | undefined,
): AsyncGenerator<readonly Row[]> {
  const { epoch, isUncalculated, sheets, styles, sharedStrings } = workbook.parts;
  const sheet = findSheet(path, sheets, name);
  const archive = await openArchive(path, workbook.directory);
  const { read } = workbook;
  try {
    const strings =
      read.strings?.deref() ??
      (sharedStrings === null ? [] : await readSharedStrings(path, archive, sharedStrings));
    read.strings = new WeakRef(strings);
    read.styles ??= styles === null ? NO_STYLES : await readCellStyles(path, archive, styles);
    const merges = read.merges.get(sheet.part) ?? (await readMergedRanges(path, archive, sheet.part));
    read.merges.set(sheet.part, merges);
    const context = { epoch, isUncalculated, strings, ...read.styles, clearMerged: clearUnder(merges) };
    for await (const rows of readSheetRows(path, archive, sheet.part, context)) {
      for (const row of rows) refuseSwallowed(path, sheet.name, row);
      yield rows;
    }
  } finally {
    archive.close();
  }
}

/** Refuses a row in which a cell holds rows of a text that was opened as a sheet: a stray quote had swallowed them. */
function refuseSwallowed(path: string, sheet: string, { line, cells }: Row): void {
  const isWrapped = cells.some((cell) => typeof cell === 'string' && cell.includes('\n'));
  if (!isWrapped) return;
  for (const delimiter of DELIMITERS) {
    const around = { width: cells.length, delimiter, rowEnd: LINE_END, usualKinds: [] };
    const swallowed = findSwallowed(cells, around);
    if (swallowed === null) continue;
    throw unreadable(path, 'sheet-rows-swallowed', {
      cell: `${columnLetters(swallowed.index + 1)}${line}`,
      sheet,
      lines: swallowed.lines + 1,
    });
  }
}

function findSheet(path: string, sheets: readonly SheetPart[], name: string | undefined): SheetPart {
  const sheet = sheets.find((each) => (name === undefined ? each.state === 'visible' : each.name === name));
  if (sheet !== undefined) return sheet;
  const names = sheets.map((each) => `"${each.name}"`).join(', ');
  if (sheets.length === 0) throw unreadable(path, 'no-sheet');
  throw name === undefined
    ? unreadable(path, 'no-visible-sheet', { names })
    : unreadable(path, 'no-such-sheet', { name, names });
}

/** Rows and cells, gaps included, after which a batch is full: a row of XFD alone is as large as 1600 ordinary ones. */
const BATCH_ROWS = 500;
const BATCH_CELLS = 100_000;

/** The rows of a sheet that hold a value, in batches; those before a damage are given before it is thrown. */
async function* readSheetRows(
  path: string,
  archive: Archive,
  part: string,
  context: SheetContext,
): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  let cells = 0;
  const handlers = sheetCells(path, context, (row) => {
    batch.push(row);
    cells += row.cells.length;
  });
  try {
    for await (const _ of parseXml(path, archive, part, handlers)) {
      if (batch.length < BATCH_ROWS && cells < BATCH_CELLS) continue;
      yield batch;
      batch = [];
      cells = 0;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

/**
 * The last row that a sheet claims to have; null when it claims none, 0 for one that has no value at all. Only the start of the part is
 * read; writers that don't know the number beforehand leave it out or write A1, and so do empty sheets.
 */
async function readClaimedRows(path: string, archive: Archive, part: string): Promise<number | null> {
  let rows: number | null = null;
  let isKnown = false;
  const chunks = parseXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'dimension') rows = rowOf(attributes.get('ref') ?? '');
      const mayBeEmpty = rows === null || rows <= 1;
      if (mayBeEmpty ? VALUES.has(name) : name === 'dimension' || name === 'sheetData') isKnown = true;
    },
    close(name) {
      if (name !== 'sheetData' || isKnown) return;
      isKnown = true;
      rows = 0;
    },
  });
  for await (const _ of chunks) if (isKnown) break;
  return rows;
}

/** Elements of a cell that has content. */
const VALUES: ReadonlySet<string> = new Set(['v', 'f', 'is']);
