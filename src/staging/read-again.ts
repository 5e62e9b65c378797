import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import { corrections } from '../ledger/corrections.js';
import { keyMaker } from '../ledger/keys.js';
import { firstDropOf } from '../ledger/lineage.js';
import type { Ledger } from '../ledger/query.js';
import { type PublishedDrop, publishedDrop } from '../ledger/restaging.js';
import { keptRows } from '../ledger/row-blocks.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import { matchHeaders } from '../normalise/match-headers.js';
import { profileDrop } from '../normalise/profile.js';
import { operationNamed } from '../operations/registry.js';
import type { Preparation } from './prepare-rows.js';

/**
 * How rows of a published drop are read by now: by its source's mapping of the header, and what the whole column proves.
 * Where it was a corrected attention file, that is the column of the drop in which its rows were first read.
 * @returns the issues where it can't be read so any more.
 */
export async function readAgain(
  ledger: Ledger,
  drop: Pick<PublishedDrop, 'dropId' | 'headerLine' | 'header'>,
  source: SourceConfig,
): Promise<Preparation | readonly Issue[]> {
  const operation = operationNamed(source.operation);
  const firstId = firstDropOf(ledger, drop.dropId);
  const first = firstId === drop.dropId ? drop : (publishedDrop(ledger, firstId) ?? drop);
  const below = [...take(keptRows(ledger, first.dropId), 60)].filter(({ line }) => line > first.headerLine);
  const match = matchHeaders(
    drop.header,
    operation,
    source,
    below.map(({ cells }) => cells),
  );
  const header = { line: first.headerLine, columns: drop.header, match };
  const profile = await profileDrop(batches(keptRows(ledger, first.dropId)), header, operation, source);
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
