import type { SourceConfig } from '../config/schema.js';
import type { Row } from '../domain/row.js';
import { type CellCounts, cellCounts } from '../normalise/cell-counts.js';
import type { FoundHeader } from '../normalise/header/find-header.js';
import type { Profile } from '../normalise/profile.js';
import { profileDrop, profileSample } from '../normalise/profile-drop.js';
import { operationNamed } from '../operations/registry.js';

/** Rows looked at to find the header: 30 lines of preamble and some data below. */
export const SAMPLE_ROWS = 60;

/** A table whose rows come from a file, or from the cells that the ledger has kept of a file. */
export interface Table {
  readonly header: FoundHeader;
  /** Its first rows, with those above the header. */
  readonly sample: readonly Row[];
  /** True for a text file, whose rows may have lost a cell; a sheet leaves out blank cells at the end of a row. */
  readonly countsCells: boolean;
  /** All of its rows, each time from the first on. */
  rows(): AsyncIterable<readonly Row[]>;
}

/**
 * How much of a table its profile is made from. `sample`: the first rows alone, where these allow it. `whole`: all rows.
 */
export type Profiled = 'sample' | 'whole';

/**
 * What a table's columns prove. Under a profile of the sample a row may be `undecided`; under a profile of the whole table
 * none is.
 */
export async function profileOf(table: Table, source: SourceConfig, profiled: Profiled): Promise<Profile> {
  return (profiled === 'sample' ? sampleProfile(table, source) : null) ?? wholeProfile(table, source);
}

/** What a table's first rows prove; null where all rows are needed. */
export function sampleProfile(table: Table, source: SourceConfig): Profile | null {
  return profileSample(table.sample, table.header, operationNamed(source.operation), source, countsOf(table));
}

/** What all rows of a table prove. */
export async function wholeProfile(table: Table, source: SourceConfig): Promise<Profile> {
  const operation = operationNamed(source.operation);
  return profileDrop(table.rows(), table.header, operation, source, countsOf(table));
}

function countsOf({ sample, header, countsCells }: Table): CellCounts | null {
  return countsCells ? cellCounts(sample, header) : null;
}
