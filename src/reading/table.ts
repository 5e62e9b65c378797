import type { SourceConfig } from '../config/schema.js';
import type { Row } from '../domain/row.js';
import { claimsOf, createNoteFinder } from '../normalise/guiding-cells.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { type CellCounts, cellCounts } from '../normalise/profile/cell-counts.js';
import type { Profile } from '../normalise/profile/profile.js';
import { profileDrop, profileSample } from '../normalise/profile-drop.js';
import { isNews, type ZoneNote } from '../normalise/time/zone/zone-notes.js';
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
  /** Its notes on the zone of times below the header, where they are known before its rows are read; absent: they aren't. */
  readonly zoneNotes?: readonly ZoneNote[];
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
  const { sample, header } = table;
  const operation = operationNamed(source.operation);
  const profile = profileSample(sample, header, operation, source, countsOf(table));
  if (profile === null) return null;
  const noteOf = createNoteFinder(operation, header);
  const notes = table.zoneNotes ?? sample.flatMap((row) => noteOf(row) ?? []);
  // A note on the zone may be in any row, whatever the profile needs.
  return withNotes({ ...profile, isWhole: false }, table, source, notes);
}

/** What all rows of a table prove. */
export async function wholeProfile(table: Table, source: SourceConfig): Promise<Profile> {
  const operation = operationNamed(source.operation);
  const noteOf = createNoteFinder(operation, table.header);
  const notes: ZoneNote[] = [];
  const rows = noting(table.rows());
  const profile = await profileDrop(rows, table.header, operation, source, countsOf(table));
  // A profile that needs no row has read none.
  for await (const _ of rows);
  return withNotes(profile, table, source, table.zoneNotes ?? notes);

  async function* noting(all: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
    for await (const batch of all) {
      for (const row of batch) {
        const note = noteOf(row);
        if (note && notes.length < MAX_NOTES) notes.push(note);
      }
      yield batch;
    }
  }
}

/** A table may repeat its note on every page. */
const MAX_NOTES = 1_000;

/** Adds the first note on each zone that isn't known otherwise. */
function withNotes(
  profile: Profile,
  { header }: Table,
  source: SourceConfig,
  notes: readonly ZoneNote[],
): Profile {
  const operation = operationNamed(source.operation);
  const news: ZoneNote[] = [];
  for (const note of notes) {
    if (isNews(note, claimsOf(operation, source, header, news), source.zoneNames)) news.push(note);
  }
  return news.length === 0 ? profile : { ...profile, zoneNotes: news };
}

function countsOf({ sample, header, countsCells }: Table): CellCounts | null {
  return countsCells ? cellCounts(sample, header) : null;
}

/**
 * Thrown under a plan by the first rows alone, for a row that needs what only the whole column can prove, or that has
 * content under a merged cell.
 */
export class UndecidedRow extends Error {
  override readonly name = 'UndecidedRow';

  constructor() {
    super('the row needs a profile of the whole drop');
  }
}

/**
 * Reads a drop under a plan by its first rows, and where a row is undecided begins again under a plan by all rows. Throws
 * what planning and reading throw, except UndecidedRow of the first reading.
 * @param first the plan by the first rows, where the caller has it already.
 */
export async function widening<P, R>(
  planBy: (profiled: Profiled) => Promise<P>,
  read: (plan: P, profiled: Profiled) => Promise<R>,
  first?: P,
): Promise<R> {
  try {
    return await read(first ?? (await planBy('sample')), 'sample');
  } catch (error) {
    if (!(error instanceof UndecidedRow)) throw error;
    return read(await planBy('whole'), 'whole');
  }
}
