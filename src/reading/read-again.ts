import type { SourceConfig } from '../config/schema.js';
import type { PublishedDrop } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import type { Profile } from '../normalise/profile/profile.js';
import { type KeptTable, keptTable } from './kept-table.js';
import { type Refused, refused } from './refused.js';
import { type Profiled, profileOf } from './table.js';

/** How the rows of a published drop are read under today's settings. */
export interface KeptReading {
  readonly kind: 'kept';
  /** Always null: kept rows come without a file. */
  readonly sheet: null;
  readonly header: FoundHeader;
  readonly profile: Profile;
}

/**
 * Decides how rows of a published drop are read under today's settings: by the source's mapping of the header, and by what its
 * whole columns prove as they were read.
 * @param profiled 'sample' profiles the first rows alone where these allow it. Preparing a row that needs the profile of
 *   the whole drop throws `UndecidedRow`; then read again with 'whole'.
 */
export async function readAgain(
  ledger: Ledger,
  drop: KeptTable & Pick<PublishedDrop, 'headerLine'>,
  source: SourceConfig,
  profiled: Profiled = 'whole',
): Promise<KeptReading | Refused> {
  const table = await keptTable(ledger, drop, source);
  const profile = await profileOf(table, source, profiled);
  const problems = [...table.header.match.problems, ...profile.issues];
  if (problems.length > 0) return refused(...problems);
  return { kind: 'kept', sheet: null, header: { ...table.header, line: drop.headerLine }, profile };
}
