import type { SourceConfig } from '../config/schema.js';
import { collected } from '../domain/in-turn.js';
import type { Issue } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import { knownLearners } from '../ledger/decisions/known-learners.js';
import { type PublishedDrop, publishedDrops } from '../ledger/drops/published-drops.js';
import { keptRows } from '../ledger/drops/row-blocks.js';
import type { Ledger } from '../ledger/store/query.js';
import { keyMaker } from '../ledger/submissions/keys.js';
import { matchHeaders } from '../normalise/match-headers.js';
import { profileDrop, profileSample } from '../normalise/profile.js';
import { operationNamed } from '../operations/registry.js';
import type { Preparation } from './prepare-rows.js';

/** How the rows of a published drop are read by now. */
export interface ReadingAgain {
  /** By the number of the drop in which rows were first read: what its whole columns prove counts for them. */
  readonly preparations: ReadonlyMap<number, Preparation>;
  /** How the row in this line is read; it must be one of those that were asked for. */
  of(line: number): Preparation;
}

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
  drop: Pick<PublishedDrop, 'dropId' | 'headerLine' | 'header' | 'table' | 'firstRead'>,
  source: SourceConfig,
  lines: Iterable<number>,
  profiled: 'sample' | 'whole' = 'whole',
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
  drop: Pick<PublishedDrop, 'dropId' | 'headerLine' | 'header' | 'table'>,
  firstId: number,
  source: SourceConfig,
  profiled: 'sample' | 'whole',
): Promise<Preparation | readonly Issue[]> {
  const operation = operationNamed(source.operation);
  const first = firstId === drop.dropId ? drop : ((await publishedDrops(ledger, firstId))[0] ?? drop);
  const { table } = first;
  const sample = await collected(keptRows(ledger, table), 60);
  const below = sample.filter(({ line }) => line > table.headerLine);
  const match = matchHeaders(
    drop.header,
    operation,
    source,
    below.map(({ cells }) => cells),
  );
  const header = { line: table.headerLine, columns: drop.header, match };
  const settled = profiled === 'sample' ? profileSample(sample, header, operation, source) : null;
  const profile = settled ?? (await profileDrop(batches(keptRows(ledger, table)), header, operation, source));
  const problems = [...match.problems, ...profile.issues];
  if (problems.length > 0) return problems;
  return {
    operation,
    source,
    plan: { sheet: null, header: { ...header, line: drop.headerLine }, profile },
    keys: keyMaker(ledger.salt),
    clock: ledger.clock,
    ...(await knownLearners(ledger)),
  };
}

async function* batches(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  for await (const row of rows) yield [row];
}
