import type { DropFormat, DropIdentity } from '../domain/drop.js';
import type { Row } from '../domain/row.js';
import type { TextEncoding } from './text/encoding/decide-encoding.js';
import type { ByteSurvey } from './text/encoding/survey-bytes.js';

/** What the reader found out about a text file. */
export interface TextFacts {
  /** WHATWG label: utf-8, utf-16le, utf-16be, windows-1252, … */
  readonly encoding: string;
  /** True where nothing says the encoding, and Windows-1252 is what is left. */
  readonly fallback: boolean;
  readonly bom: boolean;
  readonly delimiter: string;
  /** Of records, not of text within quotes, as far as the file's first 64 KiB show. */
  readonly lineEnds: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';
  /** What ends its rows, with or without a line end behind it; null: a line end. */
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
  /** For opening the same file once more. */
  readonly seen: SeenFile;
  /**
   * All rows in file order, in batches of some hundred, blank rows, preamble and header included. `sheet` names
   * the sheet of a workbook (else the first visible one) and is ignored for text. Throws OperatorError when the
   * file turns out to be damaged on the way.
   *
   * What lies under merged cells isn't given. Which those are stands at a sheet's end, so that it is unpacked once more
   * before its first row comes. With `onCovered` it isn't: the rows come with what may lie under merges, and at the end,
   * where that is so, `onCovered` is called; then read them again without it.
   */
  rows(sheet?: string, onCovered?: () => void): AsyncIterable<readonly Row[]>;
}

/** What reading the rows of a drop needs of it: a file, or rows that somebody is typing. */
export type ReadableDrop = Pick<OpenedDrop, 'format' | 'rows'>;

/** The bytes of a file that was opened, and the stamp that tells whether they are still the same. */
export interface SeenFile {
  readonly stamp: string;
  readonly survey: ByteSurvey;
  /** Of a text that is opened by the same settings again; null for a workbook. */
  readonly encoding: TextEncoding | null;
}

/** What a source says about its files; what it leaves out is detected. */
export interface OpenOptions {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly rowEnd?: string | undefined;
  /** What stands around cells, `none` where nothing does. */
  readonly quote?: string | undefined;
  readonly escape?: 'double' | 'backslash' | undefined;
}
