import type { DropFormat, DropIdentity } from '../domain/drop.js';
import type { Row } from '../domain/row.js';
import type { TextEncoding } from './text/encoding/decide-encoding.js';
import type { ByteSurvey } from './text/encoding/survey-bytes.js';

/** The facts that the reader found out about a text file. */
export interface TextFacts {
  /** WHATWG label: utf-8, utf-16le, utf-16be, windows-1252, … */
  readonly encoding: string;
  /** True where neither source nor file gives the encoding, so that Windows-1252 is taken. */
  readonly fallback: boolean;
  readonly bom: boolean;
  readonly delimiter: string;
  /** The line ends of records, not those within quotes, as far as the file's first 64 KiB show. */
  readonly lineEnds: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';
  /** The mark that ends its rows, with or without a line end after it; null: a line end. */
  readonly rowEnd: string | null;
}

/** One sheet of a workbook, in the workbook's order. */
export interface SheetFacts {
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  /** Highest row number the sheet's `dimension` claims, null when it claims none; 0 for a sheet without any value. */
  readonly rows: number | null;
}

export interface WorkbookFacts {
  readonly epoch: 1900 | 1904;
  readonly sheets: readonly SheetFacts[];
}

/** A file opened for reading. Opening looks at the content; `rows` may be called again and again. */
export interface OpenedDrop {
  readonly identity: DropIdentity;
  readonly format: DropFormat;
  /** null for a workbook. */
  readonly text: TextFacts | null;
  /** null for a text file. */
  readonly workbook: WorkbookFacts | null;
  /** Passed to `openDrop` to open the same file once more. */
  readonly seen: SeenFile;
  /**
   * All rows in file order, in batches of some hundred, blank rows, preamble and header included. `sheet` names the sheet of a
   * workbook (else the first visible one) and is ignored for text. Throws OperatorError when the file turns out to be damaged on
   * the way.
   *
   * Cells under a merge are left out. The merges are listed at a sheet's end, so the sheet is unpacked once more before its first
   * row is given. With `onCovered` it isn't: the rows are given with the cells that may lie under merges, and if there are such
   * cells, `onCovered` is called at the end; then read the rows again without it.
   */
  rows(sheet?: string, onCovered?: () => void): AsyncIterable<readonly Row[]>;
}

/** The part of a drop that reading its rows needs: a file, or rows that a person is typing. */
export type ReadableDrop = Pick<OpenedDrop, 'format' | 'rows'>;

/** The hash and size of an opened file, and the stamp that shows whether it is still the same. */
export interface SeenFile {
  readonly stamp: string;
  readonly survey: ByteSurvey;
  /** The encoding, for opening a text again with the same settings; null for a workbook. */
  readonly encoding: TextEncoding | null;
}

/** A source's settings for its files; settings that it leaves out are detected. */
export interface OpenOptions {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly rowEnd?: string | undefined;
  /** The character around cells, `none` for no quoting. */
  readonly quote?: string | undefined;
  readonly escape?: 'double' | 'backslash' | undefined;
}
