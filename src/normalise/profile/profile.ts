import { hash } from 'node:crypto';
import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import type { Row } from '../../domain/row.js';
import type { DateOrder } from '../time/date-order.js';
import type { ZoneNote } from '../time/zone/zone-notes.js';
import type { IdShape } from '../values/identifier.js';
import type { ProvenScale } from '../values/score.js';
import type { CellCounts } from './cell-counts.js';

/** The facts that only a whole column can prove. */
export interface Profile {
  /** By timestamp field: the order that its column proves, null where nothing in it proves one. */
  readonly dateOrders: Readonly<Record<string, DateOrder | null>>;
  /** By score field: the scale that its column proves, null where nothing in it proves one. */
  readonly scales: Readonly<Record<string, ProvenScale | null>>;
  /** By field of identifiers: its column's evidence of damaged ones; absent where there is none. */
  readonly shapes: Readonly<Record<string, IdShape>>;
  /** False when it comes from the first rows alone: a row that needs more is then `undecided`. */
  readonly isWhole: boolean;
  /** Names of the questions that rows after the sample may still raise; empty where the profile covers the whole drop. */
  readonly watched: readonly string[];
  /** What lines below the header say about the zone of all times, where that isn't known without them; absent: nothing. */
  readonly zoneNotes?: readonly ZoneNote[];
  /** How many cells rows have; absent where that proves nothing: a sheet leaves out blank cells at the end of a row. */
  readonly cells?: CellCounts;
  /** Values that the column of another field implies, by field: addresses of pages have the type ContentUrl. */
  readonly implied: Readonly<Record<string, string>>;
  /** Why the drop as a whole cannot be understood; empty when it can. */
  readonly issues: readonly Issue[];
}

/** The profile of a drop that needs none. */
export const NO_PROFILE: Profile = {
  dateOrders: {},
  scales: {},
  shapes: {},
  isWhole: true,
  watched: [],
  implied: {},
  issues: [],
};

/**
 * Digest of everything that decides how a drop's rows are read: its sheet, its profile, and its source, except where the files
 * lie, when they are taken, and how many rows they should have.
 */
export function readingDigest(sheet: string | null, source: SourceConfig, profile: Profile): string {
  const { inbox, match, stableForMs, pollMs, control, expect, ...reading } = source;
  return hash('sha256', JSON.stringify([sheet, reading, profile]), 'hex').slice(0, 32);
}

/**
 * A question about a drop that only its rows together answer. It gets the rows below the header in file order: those of a sample,
 * then all of them once more, from the first.
 */
export interface RowWatch {
  /** Its name among the drop's questions. */
  readonly name: string;
  /** True where only rows that become records are evidence; absent: all rows are. */
  readonly isOfRecords?: true;
  /** Adds a row. Called for every row of a drop, so it must be cheap. */
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
export type Findings = Pick<Profile, 'dateOrders' | 'scales' | 'shapes' | 'implied' | 'issues'>;

/** The settings of a source that questions are about. */
export type WatchSource = Pick<SourceConfig, 'columns' | 'defaults' | 'status'>;
