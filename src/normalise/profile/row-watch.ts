import type { SourceConfig } from '../../config/schema.js';
import type { Row } from '../../domain/row.js';
import type { Profile } from './profile.js';

/**
 * A question about a drop that only its rows together answer. It gets the rows below the header in file order: those of a sample,
 * then all of them once more, from the first.
 */
export interface RowWatch {
  /** Its name among the drop's questions. */
  readonly name: string;
  /** True where only rows that become records are evidence; absent: it is asked of all rows. */
  readonly isOfRecords?: true;
  /** Adds a row. It is asked of every row of a drop, and must be cheap. */
  add(row: Row): void;
  /** Adds a row that was skipped, where only records are evidence; absent: such rows say nothing. */
  doubt?(row: Row): void;
  /** True when the rows so far show that all of the drop must be known. */
  asksForAll(): boolean;
  /** False when the rows so far, as a sample, show that no other row needs to be watched. */
  isOpen(): boolean;
  /** What all rows added show. */
  result(): Partial<Findings>;
}

/** What rows show of a drop. */
export type Findings = Pick<Profile, 'dateOrders' | 'scales' | 'shapes' | 'implied' | 'questions' | 'issues'>;

/** The settings of a source that questions are about. */
export type WatchSource = Pick<SourceConfig, 'columns' | 'defaults' | 'status'>;
