import type { SourceConfig } from '../../config/schema.js';
import {
  type CorrectionEffect,
  closedBy,
  effectOf,
  type Fate,
  fateOf,
  NOT_YET,
  noOutcomes,
  type OpenMember,
  ROW_OUTCOMES,
} from '../../domain/delivery/correction.js';
import { countedAs } from '../../domain/delivery/judge.js';
import type { Refused } from '../../domain/issue.js';
import type { Disposition, Row } from '../../domain/row.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type OutcomeCounts, rereadPage } from '../../ledger/submissions/reread.js';
import { applyDrop } from '../../ledger/submissions/staging/apply-drop.js';
import type { PreparedRow, StagingTarget } from '../../ledger/submissions/staging/read-rows.js';
import { excludedOnReread } from '../../ledger/submissions/staging/same-key.js';
import type { Operation } from '../../operations/operation.js';
import { operationNamed } from '../../operations/registry.js';
import { type KeptReading, notReadAgain, readAgain } from '../../reading/read-again.js';
import type { Profiled } from '../../reading/table.js';
import { type CheckedRecord, toDeliver } from '../check/check-drop.js';
import { recordJudge } from '../check/judge-records.js';
import { requireKnownSettings } from '../key-settings.js';
import { independentPreparer } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';

/**
 * Reads rows of a drop with the cells from an open decision, and applies the result. After an interruption, call it
 * again: it resumes. Throws OperatorError where the drop's rows can't be read under the current settings.
 */
export async function correctRows(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  rows: readonly Row[],
  decision: AgainDecision,
): Promise<OutcomeCounts> {
  await requireKnownSettings(ledger, source, null);
  const reader = await rowReader(ledger, drop, source);
  if (reader.kind === 'refused')
    throw notReadAgain(reader, { operation: 'correct rows', subject: drop.file }, 'attention');
  const judged = await withSameKeys(ledger, reader, rows.map(reader.prepare), 'each-other');
  const target = { ...stagingTarget(source), dropId: drop.dropId, isCorrection: true };
  return carryRowsAgain(ledger, target, judged, decision);
}

export interface AgainDecision {
  readonly decisionId: number;
  readonly runId: number | null;
  /** Runs the steps, each of which is one transaction. */
  carry(pages: AsyncGenerator<void, void, undefined>): Promise<void>;
}

/** Applies rows of a published drop that a decision reads again, page by page. After an interruption, call it again: it resumes. */
export async function carryRowsAgain(
  ledger: Ledger,
  target: StagingTarget,
  rows: readonly PreparedRow[],
  { decisionId, runId, carry }: AgainDecision,
): Promise<OutcomeCounts> {
  const counts = noOutcomes();
  await carry(pages());
  await carry(applyDrop(ledger, target.dropId, runId));
  return counts;

  async function* pages(): AsyncGenerator<void> {
    for (const page of pagesOf(rows)) {
      const done = await rereadPage(ledger, { ...target, decisionId, runId }, page);
      for (const name of ROW_OUTCOMES) counts[name] += done[name];
      yield;
    }
  }
}

/** Reads single rows of a published drop from corrected cells. */
export interface RowReader {
  readonly kind: 'reader';
  readonly drop: PublishedDrop;
  readonly source: SourceConfig;
  readonly operation: Operation;
  readonly reading: KeptReading;
  /** Throws UndecidedRow under a reading from the first rows only. */
  prepare(row: Row): PreparedRow;
}

/** Returns a reader that reads each row of a drop separately, under the current settings and what the drop's own columns prove. */
export async function rowReader(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  profiled: Profiled = 'whole',
): Promise<RowReader | Refused> {
  const reading = await readAgain(ledger, { ...drop, countsCells: false }, source, profiled);
  if (reading.kind === 'refused') return reading;
  const preparation = { ...(await knownLearners(ledger)), source, clock: ledger.clock };
  const prepare = independentPreparer(preparation, reading);
  const operation = operationNamed(source.operation);
  return { kind: 'reader', drop, source, operation, reading, prepare };
}

/**
 * The rows of one drop that a decision reads again, in line order. Of rows with the same key and different content,
 * those that don't count by the source's rule become invalid or skipped. Writes nothing. @param beside as in
 * `excludedOnReread`.
 */
export async function withSameKeys(
  ledger: Ledger,
  { drop, source, operation }: Pick<RowReader, 'drop' | 'source' | 'operation'>,
  rows: readonly PreparedRow[],
  beside: 'file' | 'each-other',
): Promise<readonly PreparedRow[]> {
  const inOrder = [...rows].sort((a, b) => a.line - b.line);
  const records = inOrder.filter((row) => row.kind === 'record');
  const target = { operation, environment: source.environment };
  const refusedFiles = await excludedOnReread(ledger, drop.dropId, target, source.sameKey, records, beside);
  return inOrder.map((row) => {
    const verdict = refusedFiles.get(row.line);
    return verdict === undefined ? row : { line: row.line, ...verdict };
  });
}

/** The result that a row with new cells would have. Personal. */
export interface Outlook {
  readonly disposition: Disposition;
  /** What would happen to the present row. */
  readonly original: CorrectionEffect;
  /** What would be delivered, with the line of the corrected row. */
  readonly records: readonly CheckedRecord[];
}

/** Returns a function that judges the rows of a source, one after another. Writes nothing. */
export function rowJudge(
  ledger: Ledger,
  { operation, source }: Pick<RowReader, 'operation' | 'source'>,
  isCorrection = true,
) {
  const { environment } = source;
  const judge = recordJudge({ ledger, operation, environment, isCorrection });
  return async (row: PreparedRow, open: readonly OpenMember[] | null): Promise<Outlook> => {
    const effect = (fate: Fate) =>
      open === null ? 'unchanged' : effectOf(closedBy({ dropId: NOT_YET, line: row.line }, fate, open));
    if (row.kind !== 'record') {
      return { disposition: row.kind, original: effect(fateOf(row.kind)), records: [] };
    }
    const prepared = [row, ...(row.further ?? [])];
    const judged = await judge(prepared);
    const repeated = judged.flatMap((one) => (one.disposition === 'duplicate' ? [one.of] : []));
    const { disposition } = countedAs(judged);
    const records = toDeliver(row.line, { operation, environment }, prepared, judged);
    const original = effect({ kind: 'records', made: records.map(() => NOT_YET), repeated });
    return { disposition, original, records };
  };
}
