import type { Issue } from '../../../domain/issue.js';
import type { Operation } from '../../../operations/operation.js';
import type { PreparedRecord } from '../record/prepared-record.js';

/** A row ready to be written: normalised, with its keys. */
export type PreparedRow = { readonly line: number } & (
  | (PreparedRecord & {
      readonly kind: 'record';
      /** Its further records, where a cell lists several things; absent: there is none. */
      readonly further?: readonly PreparedRecord[];
      /** Values of the row that its records lack; absent: none. */
      readonly leftOut?: readonly Issue[];
    })
  | { readonly kind: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  /** `lines` as in `Row`. */
  | { readonly kind: 'blank'; readonly lines?: number }
  /** A row that is known to repeat a submission before it is written. */
  | { readonly kind: 'duplicate'; readonly of: number }
);

/** A row with what is kept of it as it was read, each as JSON. Personal. */
export interface StagedRow {
  readonly row: PreparedRow;
  /** null: none is kept. */
  readonly cells: string | null;
  /** As in `Row`; null: none. */
  readonly strayQuotes: string | null;
}

/** Rows of a drop ready to be written, which follow the rows written before. */
export interface PreparedRows {
  /**
   * In line order, which decides which of two records with one key repeats or amends the other. A text: the path of a file with the
   * rows, as `readRowsFile` writes it.
   */
  readonly rows: Iterable<StagedRow> | string;
}

/** What all rows of a drop have in common. */
export interface StagingTarget {
  readonly dropId: number;
  readonly operation: Operation;
  readonly environment: string;
  /** True where a newer revision of an accepted record is sent without a person's decision. */
  readonly sendAmendments: boolean;
  /** The decision that makes the submissions; absent: staging does. */
  readonly decisionId?: number;
  /** True where the rows are corrected ones: a correction may return to content that an earlier correction replaced. */
  readonly isCorrection?: boolean;
}
