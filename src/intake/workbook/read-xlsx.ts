import type { Cell, Row } from '../../domain/row.js';
import type { SheetFacts, WorkbookFacts } from '../opened-drop.js';
import { findSwallowed, LINE_END } from '../swallowed-rows.js';
import { DELIMITERS } from '../text/detect-layout.js';
import { unreadable } from '../unreadable.js';
import { type CellStyles, NO_STYLES, readCellStyles } from './cell-styles.js';
import { type Directory, openArchive } from './open-archive.js';
import { readSharedStrings } from './shared-strings.js';
import { type CellRange, columnLetters } from './sheet/cell-reference.js';
import { clearUnder, readMergedRanges, watchMerges } from './sheet/merged-ranges.js';
import { readClaimedRows } from './sheet/sheet-dimension.js';
import { readSheetRows } from './sheet/sheet-rows.js';
import { findWorkbookParts, type SheetPart, type WorkbookParts } from './workbook-parts.js';

/** A workbook whose plan is known; its rows are read from the file on request. */
export interface Workbook {
  readonly facts: WorkbookFacts;
  readonly parts: WorkbookParts;
  readonly directory: Directory;
  /** Parts that were read for one sheet and serve the others too. */
  readonly read: {
    /** By part. */
    readonly merges: Map<string, readonly CellRange[]>;
    /** Held only while rows are read: another thread may read the same workbook meanwhile, with texts of its own. */
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

/**
 * The rows of the named sheet, else of the first visible one.
 * @param onCovered as in `OpenedDrop.rows`.
 */
export async function* readSheet(
  path: string,
  workbook: Workbook,
  name: string | undefined,
  onCovered: (() => void) | undefined,
): AsyncGenerator<readonly Row[]> {
  const { epoch, isUncalculated, sheets, styles, sharedStrings } = workbook.parts;
  const sheet = findSheet(path, sheets, name);
  const merges = onCovered ? watchMerges(onCovered) : clearUnder(await mergesOf(path, workbook, sheet));
  const archive = await openArchive(path, workbook.directory);
  const { read } = workbook;
  try {
    const strings =
      read.strings?.deref() ??
      (sharedStrings === null ? [] : await readSharedStrings(path, archive, sharedStrings));
    read.strings = new WeakRef(strings);
    read.styles ??= styles === null ? NO_STYLES : await readCellStyles(path, archive, styles);
    const context = { epoch, isUncalculated, strings, ...read.styles, merges };
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
    const found = findSwallowed(cells, around);
    if (found === null) continue;
    const place = `cell ${columnLetters(found.index + 1)}${line} of the sheet "${sheet}"`;
    throw unreadable(
      path,
      `${place} holds ${found.lines + 1} lines that are rows of the table themselves`,
      'An unclosed quote swallowed them when the text was opened as a sheet. Fix the quote in the text, and drop the text or save it as a sheet again.',
    );
  }
}

async function mergesOf(
  path: string,
  { directory, read }: Workbook,
  { part }: SheetPart,
): Promise<readonly CellRange[]> {
  const known = read.merges.get(part);
  if (known) return known;
  const archive = await openArchive(path, directory);
  try {
    const ranges = await readMergedRanges(path, archive, part);
    read.merges.set(part, ranges);
    return ranges;
  } finally {
    archive.close();
  }
}

function findSheet(path: string, sheets: readonly SheetPart[], name: string | undefined): SheetPart {
  const sheet = sheets.find((each) => (name === undefined ? each.state === 'visible' : each.name === name));
  if (sheet !== undefined) return sheet;
  const names = sheets.map((each) => `"${each.name}"`).join(', ');
  if (sheets.length === 0)
    throw unreadable(path, 'the workbook has no sheet with cells', 'Export the data again.');
  throw name === undefined
    ? unreadable(
        path,
        `the workbook has no visible sheet (hidden: ${names})`,
        'Name the sheet to read in the source: sheet:.',
      )
    : unreadable(path, `the workbook has no sheet "${name}"`, `It has ${names}.`);
}
