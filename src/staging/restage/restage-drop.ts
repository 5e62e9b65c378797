import type { SourceConfig } from '../../config/schema.js';
import type { Restaged } from '../../documents/decided.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { keptRows, restageFacts } from '../../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { operationNamed } from '../../operations/registry.js';
import { notReadAgain, readAgain } from '../../reading/read-again.js';
import { type AgainDecision, carryRowsAgain, rowReader, withSameKeys } from '../correct/correct-rows.js';
import { requireKnownSettings } from '../key-settings.js';
import { rowPreparer } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';

/** A row that the source's settings skip: `PreparedRow` has one type for three kinds. */
type SkippedRow = PreparedRow & { readonly kind: 'skipped' };

/** A drop's open invalid rows, read under the source's current settings. */
export interface InvalidRead {
  readonly open: number;
  /** The rows among them that are records now, in line order. */
  readonly records: readonly (PreparedRow & { readonly kind: 'record' })[];
  /** The rows among them that are skipped now. */
  readonly skipped: readonly SkippedRow[];
  readonly issues: Restaged['issues'];
}

const NOTHING_OPEN: InvalidRead = { open: 0, records: [], skipped: [], issues: [] };

const SHOWN = 20;

/** Reads a drop's invalid rows again from the kept cells. Writes nothing. Throws OperatorError where they can't be read. */
export async function readInvalidAgain(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  open: Awaited<ReturnType<typeof restageFacts>>,
): Promise<InvalidRead> {
  if (open.size === 0) return NOTHING_OPEN;
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
  const about = { drop, source, operation: operationNamed(source.operation) };
  const judged = await withSameKeys(ledger, about, invalid, 'file');
  const issues = judged.flatMap((row) =>
    'issues' in row && row.kind !== 'skipped'
      ? row.issues.map((issue) => ({ line: row.line, ...issue }))
      : [],
  );
  return {
    open: open.size,
    records: judged.filter((row) => row.kind === 'record'),
    skipped: judged.filter((row): row is SkippedRow => row.kind === 'skipped'),
    issues: issues.slice(0, SHOWN),
  };
}

/**
 * Normalises a drop's invalid rows again from their present cells, after a change of its source's settings. A row
 * that is a record now becomes a submission, made by this decision; a row that is skipped now is resolved. Rows keep
 * their disposition. After an interruption, call it again: it resumes.
 */
export async function restageDrop(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  decision: AgainDecision,
): Promise<Restaged> {
  await requireKnownSettings(ledger, source, null);
  const facts = await restageFacts(ledger, drop.dropId);
  const { open, records, skipped, issues } = await readInvalidAgain(ledger, drop, source, facts);
  const target = { ...stagingTarget(source), dropId: drop.dropId };
  const done = await carryRowsAgain(ledger, target, [...records, ...skipped], decision);
  const still = open - records.length - skipped.length;
  return { open, made: done.made, repeated: done.repeated, skipped: done.skipped, still, issues };
}
