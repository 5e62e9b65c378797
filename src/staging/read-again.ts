import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import { knownLearners } from '../ledger/decisions/known-learners.js';
import { type PublishedDrop, publishedDrops } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import { keyMaker } from '../ledger/submissions/keys.js';
import { operationNamed } from '../operations/registry.js';
import { type KeptTable, keptTable } from '../reading/kept-table.js';
import { type Profiled, profileOf } from '../reading/table.js';
import type { Preparation } from './prepare-rows.js';

/** How the rows of a published drop are read by now. */
export interface ReadingAgain {
  /** By the number of the drop in which rows were first read: what its whole columns prove counts for them. */
  readonly preparations: ReadonlyMap<number, Preparation>;
  /** How the row in this line is read; it must be one of those that were asked for. */
  of(line: number): Preparation;
}

/** A published drop whose rows are to be read again. */
type DropToRead = KeptTable & Pick<PublishedDrop, 'dropId' | 'headerLine' | 'firstRead'>;

/**
 * How rows of a published drop are read by now: by its source's mapping of the header, and what the whole column proves.
 * A row of a corrected file is read by the column of the drop in which it was first read.
 * @param lines of the rows that are to be read.
 * @param profiled 'sample' spares reading the whole drop where its first rows don't ask for that. Preparing a row that does
 *   throws `UndecidedRow`; then read again with 'whole'.
 * @returns the issues where they can't be read so any more.
 */
export async function readAgain(
  ledger: Ledger,
  drop: DropToRead,
  source: SourceConfig,
  lines: Iterable<number>,
  profiled: Profiled = 'whole',
): Promise<ReadingAgain | readonly Issue[]> {
  const firstOf = (line: number) => drop.firstRead.get(line) ?? drop.dropId;
  const preparations = new Map<number, Preparation>();
  for (const line of lines) {
    const firstId = firstOf(line);
    if (preparations.has(firstId)) continue;
    const preparation = await preparationOf(ledger, drop, firstId, source, profiled);
    if (!('operation' in preparation)) return preparation;
    preparations.set(firstId, preparation);
  }
  return {
    preparations,
    of: (line) => {
      const found = preparations.get(firstOf(line));
      if (!found) throw new Error(`line ${line} was not to be read again`);
      return found;
    },
  };
}

async function preparationOf(
  ledger: Ledger,
  drop: DropToRead,
  firstId: number,
  source: SourceConfig,
  profiled: Profiled,
): Promise<Preparation | readonly Issue[]> {
  const first = firstId === drop.dropId ? drop : ((await publishedDrops(ledger, firstId))[0] ?? drop);
  const table = await keptTable(ledger, { ...drop, table: first.table }, source);
  const { header } = table;
  const profile = await profileOf(table, source, profiled);
  const problems = [...header.match.problems, ...profile.issues];
  if (problems.length > 0) return problems;
  return {
    operation: operationNamed(source.operation),
    source,
    plan: { sheet: null, header: { ...header, line: drop.headerLine }, profile },
    keys: keyMaker(ledger.salt),
    clock: ledger.clock,
    ...(await knownLearners(ledger)),
  };
}
