import type { SourceConfig } from '../../config/schema.js';
import type { Restaged } from '../../documents/decisions.js';
import {
  closedBy,
  effectOf,
  NOT_YET,
  noOutcomes,
  type OpenMember,
  rowResultOf,
} from '../../domain/delivery/correction.js';
import { summed } from '../../domain/grouped.js';
import type { Refused } from '../../domain/issue.js';
import type { Row } from '../../domain/row.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { keptRows, restageFacts } from '../../ledger/drops/rows/kept-rows.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type OutcomeCounts, rereadPage } from '../../ledger/submissions/reread.js';
import { applyDrop } from '../../ledger/submissions/staging/apply-drop.js';
import type { PreparedRow, StagingTarget } from '../../ledger/submissions/staging/read-rows.js';
import { excludedOnReread } from '../../ledger/submissions/staging/same-key.js';
import type { RecordTarget } from '../../operations/keys.js';
import { operationNamed } from '../../operations/registry.js';
import { notReadAgain, readAgain } from '../../reading/read-again.js';
import type { ProfileExtent } from '../../reading/table.js';
import { rowJudge } from '../check/judge-rows.js';
import { requireKnownSettings } from '../key-settings.js';
import { independentPreparer, rowPreparer } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';

/**
 * Reads rows of a drop with the cells from an open decision, and applies the result, page by page. After an interruption, call it
 * again: it resumes. Throws OperatorError where the drop's rows can't be read under the current settings.
 */
export async function* correctRows(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  rows: readonly Row[],
  decision: AgainDecision,
): AsyncGenerator<void, OutcomeCounts, undefined> {
  await requireKnownSettings(ledger, source, null);
  const reader = await rowReader(ledger, drop, source);
  if (reader.kind === 'refused')
    throw notReadAgain(reader, { operation: 'correct rows', subject: drop.file }, 'attention');
  const judged = await withSameKeys(ledger, drop, source, rows.map(reader.prepare), 'each-other');
  const target = { ...stagingTarget(source), dropId: drop.dropId, isCorrection: true };
  return yield* carryRowsAgain(ledger, target, judged, decision);
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

interface AgainDecision {
  readonly decisionId: number;
  readonly runId: number | null;
}

/** Applies rows of a published drop that a decision reads again, page by page. After an interruption, call it again: it resumes. */
async function* carryRowsAgain(
  ledger: Ledger,
  target: StagingTarget,
  rows: readonly PreparedRow[],
  decision: AgainDecision,
): AsyncGenerator<void, OutcomeCounts, undefined> {
  let counts: OutcomeCounts = noOutcomes();
  for (const page of pagesOf(rows)) {
    counts = summed(counts, await rereadPage(ledger, { ...target, ...decision }, page));
    yield;
  }
  yield* applyDrop(ledger, target.dropId, decision.runId);
  return counts;
}

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

const SHOWN = 20;

/** Reads single rows of a published drop from corrected cells. `prepare` throws UndecidedRow under a reading from the first rows only. */
export type RowReader = Exclude<Awaited<ReturnType<typeof rowReader>>, Refused>;

/** Returns a reader that reads each row of a drop separately, under the current settings and what the drop's own columns prove. */
export async function rowReader(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  profiled: ProfileExtent = 'whole',
) {
  const reading = await readAgain(ledger, { ...drop, countsCells: false }, source, profiled);
  if (reading.kind === 'refused') return reading;
  const preparation = { ...(await knownLearners(ledger)), source, clock: ledger.clock };
  const prepare = independentPreparer(preparation, reading);
  const operation = operationNamed(source.operation);
  return { kind: 'reader' as const, drop, source, operation, reading, prepare };
}

/**
 * The rows of one drop that a decision reads again, in line order. Of rows with the same key and different content, those that
 * don't count by the source's rule become invalid or skipped. Writes nothing. @param beside as in `excludedOnReread`.
 */
export async function withSameKeys(
  ledger: Ledger,
  { dropId }: Pick<PublishedDrop, 'dropId'>,
  source: SourceConfig,
  rows: readonly PreparedRow[],
  beside: 'file' | 'each-other',
): Promise<readonly PreparedRow[]> {
  const inOrder = [...rows].sort((a, b) => a.line - b.line);
  const records = inOrder.filter((row) => row.kind === 'record');
  const target = stagingTarget(source);
  const excluded = await excludedOnReread(ledger, dropId, target, source.sameKey, records, beside);
  return inOrder.map((row) => {
    const verdict = excluded.get(row.line);
    return verdict === undefined ? row : { line: row.line, ...verdict };
  });
}

/**
 * Returns a function that judges corrected rows of a source, one after another: the result that a row would have, what would happen to
 * the present one (`original`), and the records that would be delivered. Personal. Writes nothing.
 */
export function correctionJudge(ledger: Ledger, target: RecordTarget) {
  const judge = rowJudge(ledger, target, true);
  return async (row: PreparedRow, open: readonly OpenMember[]) => {
    const { disposition, records, repeated } = await judge(row);
    const result = rowResultOf(row.kind, { created: records.map(() => NOT_YET), repeated });
    const original = effectOf(closedBy({ dropId: NOT_YET, line: row.line }, result, open));
    return { disposition, original, records: records.map((record) => ({ line: row.line, record })) };
  };
}
