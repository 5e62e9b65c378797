import type { Issue } from '../../domain/issue.js';
import type { Operation } from '../../operations/operation.js';
import type { Original } from '../drops/again/original-rows.js';
import type { RowBlock } from '../drops/rows/pack-rows.js';
import type { PreparedRecord } from './record/prepared-record.js';

/** A row ready to be written: normalised, with its keys. */
export type PreparedRow = { readonly line: number } & (
  | (PreparedRecord & {
      readonly kind: 'record';
      /** Its further records, where a cell lists several things; absent: there is none. */
      readonly further?: readonly PreparedRecord[];
      /** What of the row its records do without; absent: nothing. */
      readonly leftOut?: readonly Issue[];
    })
  | { readonly kind: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  /** `lines` as in `Row`. */
  | { readonly kind: 'blank'; readonly lines?: number }
  /** Known to repeat a submission before it is written. */
  | { readonly kind: 'duplicate'; readonly of: number }
);

/** Rows of a drop ready to be written that follow on those written before. */
export interface PreparedRows {
  /** Records in line order: it decides which of them goes first, and which of two of one key repeats or amends the other. */
  readonly rows: Iterable<PreparedRow>;
  /** The cells of all of them as they were read, in line order. */
  readonly blocks: readonly RowBlock[];
  /** For the lines of a corrected attention file's rows: which rows they stand for. */
  readonly originals?: ReadonlyMap<number, Original>;
}

/** What all rows of a drop have in common. */
export interface StagingTarget {
  readonly dropId: number;
  readonly operation: Operation;
  readonly environment: string;
  /** Where a correction of an accepted record is sent without asking. */
  readonly sendAmendments: boolean;
  /** The decision that makes the submissions; absent: staging does. */
  readonly decisionId?: number;
  /** True where rows are corrected ones: then one may go back to what a correction has replaced. */
  readonly isRedrop?: boolean;
}
