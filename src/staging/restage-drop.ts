import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { Issue } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Row } from '../domain/row.js';
import { isAddressHeader } from '../ledger/address-rows.js';
import { closeDecision, openDecision } from '../ledger/decision-log.js';
import { isLease, takeLease, underLease } from '../ledger/leases.js';
import { damagedBlocks } from '../ledger/mending.js';
import { type Owner, thisProcess } from '../ledger/owner.js';
import { inPages } from '../ledger/pages.js';
import type { Ledger } from '../ledger/query.js';
import { closeOriginals, isRedrop } from '../ledger/redrops.js';
import { openInvalidLines, type PublishedDrop, restageRows } from '../ledger/restaging.js';
import { keptRows } from '../ledger/row-blocks.js';
import { type PreparedRow, settleDrop } from '../ledger/staging.js';
import { cellCounts } from '../normalise/cell-counts.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { requireKnownSettings } from './key-settings.js';
import { damagedLines, type Mended, mendCells, mendRecords } from './mend-drop.js';
import { SAMPLE_ROWS } from './plan-drop.js';
import { independentPreparer, type Preparation, rowPreparer } from './prepare-rows.js';
import { readAgain } from './read-again.js';
import { stagingTarget } from './staging-target.js';

/** What normalising a drop's invalid rows again came to. */
export interface Restaged {
  /** Invalid rows that were open. */
  readonly open: number;
  /** Of them: new submissions, rows that repeat one, rows that are still no records. */
  readonly made: number;
  readonly repeated: number;
  readonly still: number;
  /** Submissions that a disk had changed and that are again what was staged, and those that can't be put back. */
  readonly mended: number;
  readonly beyond: number;
  /** The first of those that are still no records, with why. */
  readonly issues: readonly (Issue & { readonly line: number })[];
}

/** Rows that are shown of those that are still invalid. */
const SHOWN = 20;

/** Rows per transaction. */
const BATCH_ROWS = 500;

/**
 * Normalises a drop's invalid rows again, from the cells as they were read, after its source was corrected. What is a
 * record now becomes a submission, made by this decision; the rows keep the disposition they had.
 */
export async function restageDrop(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  who: Decider,
  runId: number,
  paths: Pick<WorkspacePaths, 'archive'>,
): Promise<Restaged> {
  if (isAddressHeader(drop.header)) throw noRecords(drop.file);
  const owner: Owner = thisProcess();
  const lease = takeLease(ledger, 'stage', owner, runId);
  if (!isLease(lease)) {
    throw new OperatorError({
      operation: 'restage a drop',
      subject: drop.file,
      message: `process ${lease.pid} is staging`,
      hint: 'Run restage again when it has ended.',
    });
  }
  return underLease(ledger, lease, async () => {
    requireKnownSettings(ledger, source, null);
    const decide = () =>
      openDecision(ledger, { kind: 'restage', who, because: null, selection: { drop: drop.dropId } });
    await putCellsBack(ledger, drop, source, paths, decide);
    const open = new Set(openInvalidLines(ledger, drop.dropId));
    const damaged = damagedLines(ledger, drop.dropId);
    const prepare = await preparerFor(ledger, drop, source, new Set([...open, ...damaged]));
    const prepared: PreparedRow[] = [];
    const readAgain: PreparedRow[] = [];
    for (const row of keptRows(ledger, drop.dropId)) {
      const again = prepare(row);
      if (again === 'undecided') throw new Error('restaging must have a profile of the whole drop');
      if (again !== null && open.has(row.line)) prepared.push(again);
      if (again !== null && damaged.has(row.line)) readAgain.push(again);
    }
    const mended = putRecordsBack(ledger, drop, readAgain, decide);
    const records = prepared.filter((row) => row.kind === 'record');
    const counts = { made: 0, repeated: 0 };
    if (records.length > 0) {
      const decisionId = decide();
      const target = { ...stagingTarget(drop.dropId, source), decisionId };
      for (let start = 0; start < records.length; start += BATCH_ROWS) {
        const { made, repeated } = restageRows(ledger, target, records.slice(start, start + BATCH_ROWS));
        counts.made += made;
        counts.repeated += repeated;
      }
      await inPages(ledger, settleDrop(ledger, drop.dropId, runId));
      const restaged = new Set(records.map(({ line }) => line));
      await inPages(ledger, closeOriginals(ledger, drop.dropId, decisionId, runId, restaged));
      closeDecision(ledger, decisionId);
    }
    const issues = prepared.flatMap((row) =>
      'issues' in row ? row.issues.map((issue) => ({ line: row.line, ...issue })) : [],
    );
    return {
      open: open.size,
      ...counts,
      ...mended,
      still: open.size - records.length,
      issues: issues.slice(0, SHOWN),
    };
  });
}

/** Before anything is read again: the cells are what is read. */
async function putCellsBack(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  paths: Pick<WorkspacePaths, 'archive'>,
  decide: () => number,
): Promise<void> {
  if (damagedBlocks(ledger, drop.dropId).length === 0) return;
  const decisionId = decide();
  await mendCells(ledger, paths, drop.dropId, source);
  closeDecision(ledger, decisionId);
}

function putRecordsBack(
  ledger: Ledger,
  drop: PublishedDrop,
  rows: readonly PreparedRow[],
  decide: () => number,
): Mended {
  if (damagedLines(ledger, drop.dropId).size === 0) return { mended: 0, beyond: 0 };
  const decisionId = decide();
  const mended = mendRecords(ledger, drop.dropId, rows, decisionId);
  closeDecision(ledger, decisionId);
  return mended;
}

function noRecords(file: string): OperatorError {
  return new OperatorError({
    operation: 'restage a drop',
    subject: file,
    message: `${file} brought right addresses of learners, and no setting of a source decides how those are read`,
    hint: "Correct the address on the learners' sheet and put the workbook into an inbox again, or give it with registrar map.",
  });
}

/** A row of a text may have lost a cell, which its first rows show as they did when it came in. */
function asCounted(ledger: Ledger, drop: PublishedDrop, preparation: Preparation): Preparation {
  if (drop.format !== 'csv') return preparation;
  const { plan } = preparation;
  const sample: Row[] = [];
  for (const row of keptRows(ledger, drop.dropId)) if (sample.push(row) === SAMPLE_ROWS) break;
  return {
    ...preparation,
    plan: { ...plan, profile: { ...plan.profile, cells: cellCounts(sample, plan.header) } },
  };
}

/** The rows of these lines as the source reads them by now; null for others. */
async function preparerFor(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  lines: ReadonlySet<number>,
): Promise<(row: Row) => PreparedRow | 'undecided' | null> {
  const again = await readAgain(ledger, drop, source, lines);
  if ('preparations' in again) {
    if (isRedrop(ledger, drop.dropId)) {
      const prepare = independentPreparer();
      return (row) => (lines.has(row.line) ? prepare(again.of(row.line), row) : null);
    }
    // All rows are prepared, because what a row is depends on those above it.
    const [preparation] = again.preparations.values();
    return preparation ? rowPreparer(asCounted(ledger, drop, preparation)) : () => null;
  }
  throw new OperatorError({
    operation: 'restage a drop',
    subject: drop.file,
    message: again.map(({ message }) => message).join('; '),
    hint: again.map(({ remedy }) => remedy).join(' '),
  });
}
