import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import type { Row } from '../../domain/row.js';

/**
 * A question about a drop as a whole that its rows answer, whatever its columns are mapped to. It gets the rows below the
 * header in file order: those of a sample, then all of them once more, from the first.
 */
export interface RowWatch {
  /** Its name among the drop's questions. */
  readonly name: string;
  /** True where only rows that become records are evidence; absent: it is asked of all rows. */
  readonly isOfRecords?: true;
  /** Adds a row. It is asked of every row of a drop, and must be cheap. */
  add(row: Row): void;
  /** True when the rows so far are evidence against the drop, so that all of it must be known. */
  asksForAll(): boolean;
  /** False when the rows so far, as a sample, show that no other row needs to be watched. */
  isOpen(): boolean;
  /** Why the drop can't be taken as it is, by all rows added; empty when it can. */
  issues(): readonly Issue[];
  /** Questions that a person has to confirm before the first drop that is read so; absent: none. */
  questions?(): readonly Issue[];
  /** Values that the rows imply for other fields, by their names; absent: none. */
  implied?(): Readonly<Record<string, string>>;
}

/** The settings of a source that questions are about. */
export type WatchSource = Pick<SourceConfig, 'columns' | 'defaults' | 'status'>;
