import type { SourceConfig } from '../../config/schema.js';
import type { Restaged } from '../../documents/decided.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { keptRows, restageFacts } from '../../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { notReadAgain, readAgain } from '../../reading/read-again.js';
import { type AgainDecision, carryRowsAgain, rowReader, withSameKeys } from '../correct/correct-rows.js';
import { requireKnownSettings } from '../key-settings.js';
import { rowPreparer } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';

const SHOWN = 20;

/**
 * Reads a drop's open invalid rows again from the kept cells, under the source's current settings. Writes nothing. Throws OperatorError
 * where they can't be read.
 * @returns in line order, `records`: the rows among them that are records now; `skipped`: those that are skipped now.
 */
export async function readInvalidAgain(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  open: Awaited<ReturnType<typeof restageFacts>>,
) {
  if (open.size === 0) return { open: 0, records: [], skipped: [], issues: [] };
  const reading = await readAgain(ledger, { ...drop, countsCells: drop.format === 'csv' }, source);
  if (reading.kind === 'refused')
    throw notReadAgain(reading, { operation: 'restage a drop', subject: drop.file });
  // All rows go through it, because how a row is read depends on the rows above it.
  const prepare = rowPreparer({ ...(await knownLearners(ledger)), source, clock: ledger.clock }, reading);
  const reader = await rowReader(ledger, drop, source);
  const invalid: PreparedRow[] = [];
  for await (const row of keptRows(ledger, drop.dropId)) {
    const again = prepare(row);
    const cells = open.get(row.line);
    // A corrected row is read separately: it must not change how the rows below it are read.
    const isCorrected = cells != null && reader.kind === 'reader';
    if (cells === undefined) continue;
    invalid.push(isCorrected ? reader.prepare({ line: row.line, cells }) : again);
  }
  const judged = await withSameKeys(ledger, drop, source, invalid, 'file');
  const issues = judged.flatMap((row) =>
    'issues' in row && row.kind !== 'skipped'
      ? row.issues.map((issue) => ({ line: row.line, ...issue }))
      : [],
  );
  return {
    open: open.size,
    records: judged.filter((row) => row.kind === 'record'),
    skipped: judged.filter((row) => row.kind === 'skipped'),
    issues: issues.slice(0, SHOWN),
  };
}

/**
 * Normalises a drop's invalid rows again from their present cells, after a change of its source's settings. A row
 * that is a record now becomes a submission, made by this decision; a row that is skipped now is resolved. Rows keep
 * their disposition. After an interruption, call it again: it resumes.
 */
export async function* restageDrop(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  decision: AgainDecision,
): AsyncGenerator<void, Restaged, undefined> {
  await requireKnownSettings(ledger, source, null);
  const facts = await restageFacts(ledger, drop.dropId);
  const { open, records, skipped, issues } = await readInvalidAgain(ledger, drop, source, facts);
  const target = { ...stagingTarget(source), dropId: drop.dropId };
  const done = yield* carryRowsAgain(ledger, target, [...records, ...skipped], decision);
  const still = open - records.length - skipped.length;
  return { open, made: done.made, repeated: done.repeated, skipped: done.skipped, still, issues };
}
