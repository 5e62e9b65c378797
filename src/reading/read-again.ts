import type { SourceConfig } from '../config/schema.js';
import { type PublishedDrop, publishedDrops } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import type { Profile } from '../normalise/profile/profile.js';
import { type KeptTable, keptTable } from './kept-table.js';
import { type Refused, refused } from './refused.js';
import { type Profiled, profileOf } from './table.js';

/** How the rows of a published drop are read under today's settings. */
export interface ReadingAgain {
  readonly kind: 'again';
  /**
   * Readings by the number of the drop in which rows were first read: what that drop's whole columns prove counts for its
   * rows.
   */
  readonly readings: ReadonlyMap<number, KeptReading>;
  /** How the row in this line is read; `readAgain` must have been given the line. */
  of(line: number): KeptReading;
}

/** How the rows are read that were first read in one drop. */
export interface KeptReading {
  readonly kind: 'kept';
  /** Always null: kept rows come without a file. */
  readonly sheet: null;
  readonly header: FoundHeader;
  readonly profile: Profile;
}

/** A published drop whose rows are to be read again. */
type DropToRead = KeptTable & Pick<PublishedDrop, 'dropId' | 'headerLine' | 'firstRead'>;

/**
 * Decides how rows of a published drop are read under today's settings: by the source's mapping of the header, and by what
 * the whole column proves. For a row of a corrected file that is the column of the drop in which the row was first read.
 * @param lines of the rows that are to be read.
 * @param profiled 'sample' profiles the first rows alone where these allow it. Preparing a row that needs the profile of
 *   the whole drop throws `UndecidedRow`; then read again with 'whole'.
 */
export async function readAgain(
  ledger: Ledger,
  drop: DropToRead,
  source: SourceConfig,
  lines: Iterable<number>,
  profiled: Profiled = 'whole',
): Promise<ReadingAgain | Refused> {
  const firstOf = (line: number) => drop.firstRead.get(line) ?? drop.dropId;
  const readings = new Map<number, KeptReading>();
  for (const firstId of new Set([...lines].map(firstOf))) {
    const reading = await readingOf(ledger, drop, firstId, source, profiled);
    if (reading.kind === 'refused') return reading;
    readings.set(firstId, reading);
  }
  return {
    kind: 'again',
    readings,
    of: (line) => {
      const found = readings.get(firstOf(line));
      if (!found) throw new Error(`line ${line} was not to be read again`);
      return found;
    },
  };
}

async function readingOf(
  ledger: Ledger,
  drop: DropToRead,
  firstId: number,
  source: SourceConfig,
  profiled: Profiled,
): Promise<KeptReading | Refused> {
  const first = firstId === drop.dropId ? drop : ((await publishedDrops(ledger, firstId))[0] ?? drop);
  const table = await keptTable(ledger, { ...drop, table: first.table }, source);
  const profile = await profileOf(table, source, profiled);
  const problems = [...table.header.match.problems, ...profile.issues];
  if (problems.length > 0) return refused(...problems);
  return { kind: 'kept', sheet: null, header: { ...table.header, line: drop.headerLine }, profile };
}
