import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import { corrections } from '../ledger/corrections.js';
import { keyMaker } from '../ledger/keys.js';
import { firstDropOf } from '../ledger/lineage.js';
import type { Ledger } from '../ledger/query.js';
import { type PublishedDrop, publishedDrop } from '../ledger/restaging.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import { tableRows } from '../ledger/table-rows.js';
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
  drop: Pick<PublishedDrop, 'dropId' | 'headerLine' | 'header'>,
  source: SourceConfig,
  lines: Iterable<number>,
  profiled: 'sample' | 'whole' = 'whole',
): Promise<ReadingAgain | readonly Issue[]> {
  const firstOf = (line: number) => firstDropOf(ledger, { dropId: drop.dropId, line });
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
  drop: Pick<PublishedDrop, 'dropId' | 'headerLine' | 'header'>,
  firstId: number,
  source: SourceConfig,
  profiled: 'sample' | 'whole',
): Promise<Preparation | readonly Issue[]> {
  const operation = operationNamed(source.operation);
  const first = firstId === drop.dropId ? drop : (publishedDrop(ledger, firstId) ?? drop);
  const table = tableRows(ledger, first);
  const sample = [...take(table.rows(), 60)];
  const below = sample.filter(({ line }) => line > table.headerLine);
  const match = matchHeaders(
    drop.header,
    operation,
    source,
    below.map(({ cells }) => cells),
  );
  const header = { line: table.headerLine, columns: drop.header, match };
  const settled = profiled === 'sample' ? profileSample(sample, header, operation, source) : null;
  const profile = settled ?? (await profileDrop(batches(table.rows()), header, operation, source));
  const problems = [...match.problems, ...profile.issues];
  if (problems.length > 0) return problems;
  return {
    operation,
    source,
    plan: { sheet: null, header: { ...header, line: drop.headerLine }, profile },
    keys: keyMaker(ledger.salt),
    clock: ledger.clock,
    suppressed: suppressedLearners(ledger),
    corrections: corrections(ledger),
  };
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (taken >= count) return;
    taken += 1;
    yield item;
  }
}

async function* batches(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  for (const row of rows) yield [row];
}
