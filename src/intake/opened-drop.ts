import type { SourceConfig } from '../config/schema.js';
import type { CheckDocument } from '../documents/check.js';
import type { DropFormat, DropIdentity } from '../domain/drop.js';
import type { Row } from '../domain/row.js';
import type { TextEncoding } from './text/encoding/decide-encoding.js';
import type { ByteSurvey } from './text/encoding/survey-bytes.js';

export type TextFacts = NonNullable<CheckDocument['text']>;

export type WorkbookFacts = Pick<NonNullable<CheckDocument['workbook']>, 'epoch' | 'sheets'>;

export type SheetFacts = WorkbookFacts['sheets'][number];

/** A file opened for reading. Opening looks at the content; `rows` may be called again and again. */
export interface OpenedDrop {
  readonly identity: DropIdentity;
  readonly format: DropFormat;
  /** null for a workbook. */
  readonly text: TextFacts | null;
  /** null for a text file. */
  readonly workbook: WorkbookFacts | null;
  /** Passed to `openDrop` to open the same file once more. */
  readonly snapshot: FileSnapshot;
  /**
   * All rows in file order, in batches, blank rows, preamble and header included; of a workbook those of `sheet`, else of the first
   * visible one. Throws OperatorError when the file turns out to be damaged on the way.
   */
  rows(sheet?: string): AsyncIterable<readonly Row[]>;
}

/** The part of a drop that reading its rows needs: a file, or rows that a person is typing. */
export type ReadableDrop = Pick<OpenedDrop, 'format' | 'rows'>;

/** The hash and size of an opened file, and the stamp that shows whether it is still the same. */
export interface FileSnapshot {
  readonly stamp: string | null;
  readonly survey: ByteSurvey;
  /** The encoding, for opening a text again with the same settings; null for a workbook. */
  readonly encoding: TextEncoding | null;
}

/** A source's settings for its files; settings that it leaves out are detected. */
export type OpenOptions = Partial<Pick<SourceConfig, 'encoding' | 'delimiter' | 'rowEnd' | 'quote'>>;
