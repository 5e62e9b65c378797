import { hash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { SourceConfig } from '../config/schema.js';
import { sizeWords } from '../config/values/file-size.js';
import type { DropFormat } from '../domain/drop.js';
import { type Issue, issueOf, type Refused, refused } from '../domain/issue.js';
import { failpoint } from '../domain/process/failpoint.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { knownLearners } from '../ledger/decisions/known-learners.js';
import { beginDrop, type StagingPlan } from '../ledger/drops/begin-drop.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import type { Publication } from '../ledger/drops/publish-drop.js';
import { YIELD_MS } from '../ledger/leases/leases.js';
import type { Ledger } from '../ledger/store/query.js';
import { type NextRows, readFilesOf, type StagedRow } from '../ledger/submissions/staging/read-rows.js';
import { stageSmallDrop } from '../ledger/submissions/staging/stage-small-drop.js';
import { stageBatch } from '../ledger/submissions/staging/staging.js';
import { statedZones } from '../normalise/field-reader.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan } from '../reading/plan-drop.js';
import { invalidWatch } from './prepare/mostly-invalid.js';
import { type LedgerFacts, type PreparedStep, prepareRows } from './prepare/prepare-rows.js';
import { type StageContext, stagingTarget } from './stage-context.js';
import { MAX_BATCH_LENGTH, prepareInWorker, type StepInFile } from './worker/prepare-in-worker.js';

/** How long one transaction may take while another process pushes, which waits for the lock meanwhile. */
const SHARED_BATCH_MS = 150;
/** The same while no process pushes: no process should wait for a second. */
const LONE_BATCH_MS = 700;
/** How often the lock is released while no process pushes: decisions need it too, but not after each batch. */
const YIELD_EVERY_MS = 400;

/**
 * The result of staging a drop's rows. `published`: the drop is small, and counts already. `staged`: the caller publishes
 * or refuses it. `refused`: nearly all rows are invalid for the same cause.
 */
export type StagedDrop =
  | {
      readonly kind: 'staged';
      readonly dropId: number;
      readonly rowsRead: number;
      readonly hiddenRows: number;
    }
  | Extract<Publication, { readonly kind: 'published' }>
  | Refused
  | { readonly kind: 'interrupted' };

/**
 * Stages all rows of a drop that aren't staged yet. The rows of a large file are prepared on a worker thread; a small drop
 * is begun, staged and published in one transaction. Throws UndecidedRow where a row needs a plan with a profile of the
 * whole drop: stage the drop again under such a plan.
 * @param path of the opened file. @param from as in `beginDrop`; null: nothing of the drop is staged.
 */
export async function stageRows(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  drop: DropFacts,
  context: StageContext,
  from: Parameters<typeof beginDrop>[3] | null,
): Promise<StagedDrop> {
  const { ledger, lease, source } = context;
  const { expectedRows } = plan;
  const facts = await knownLearners(ledger);
  const watch = invalidWatch(source);
  let textLength = 0;
  const recorded = recordedPlan(opened.format, plan, source, facts.corrections);
  /** null: none of its rows is written yet. */
  let begun = from === null ? null : await beginDrop(ledger, drop, recorded, from);
  const afterLine = begun?.stagedLine ?? 0;
  let batchRows = MIN_ROWS;
  let rowsRead = 0;
  let hiddenRows = 0;
  let batch: StagedRow[] = [];
  let batchLength = 0;
  const yieldToWriters = createYield(ledger, context.stop);
  const progress = () => {
    failpoint('batch-committed');
    context.listen({ kind: 'rows', file: drop.fileName, rows: rowsRead, expectedRows });
  };
  const stage = async (dropId: number, rows: NextRows, count: number, turn: Promise<boolean>) => {
    const target = { ...stagingTarget(source), dropId };
    const written = await stageBatch(ledger, lease, target, rows, turn).finally(() => {
      if (typeof rows === 'string') rmSync(rows, { force: true });
    });
    if (written === null) return false;
    const aimMs = written.isShared ? SHARED_BATCH_MS : LONE_BATCH_MS;
    batchRows = nextRows(count, written.ms, aimMs, written.submissions);
    progress();
    await yieldToWriters(written.isShared);
    return true;
  };
  /** Resolves when the latest batch is staged; false: it wasn't. */
  let staged = Promise.resolve(true);
  /** A database receives a batch while it writes the one before. @returns false: a batch could not be staged. */
  const write = async (rows: NextRows, count: number) => {
    batch = [];
    batchLength = 0;
    begun ??= await beginDrop(ledger, drop, recorded);
    const before = staged;
    staged = stage(
      begun.dropId,
      rows,
      count,
      before.catch(() => false),
    );
    // An error is thrown by the `await` of the next batch, or of the last.
    staged.catch(() => {});
    return ledger.file === null ? before : staged;
  };
  const steps = preparedSteps(path, opened, plan, facts, afterLine, context, () => batchRows);
  try {
    for await (const step of steps) {
      rowsRead += step.rowsRead;
      hiddenRows += step.hiddenRows ?? 0;
      watch.add(step.judged);
      const length = lengthOf(step);
      textLength += length;
      if (textLength > source.largestFileBytes) return refused(tooMuchText(source.largestFileBytes));
      if (!('rows' in step)) {
        if (step.file !== null && !(await write(step.file.path, step.file.rows)))
          return { kind: 'interrupted' };
      } else {
        batch.push(...step.rows);
        batchLength += length;
        const isFull = batch.length >= batchRows || batchLength >= MAX_BATCH_LENGTH;
        if (isFull && !(await write(batch, batch.length))) return { kind: 'interrupted' };
      }
      if (context.stop.aborted) return { kind: 'interrupted' };
    }
    const refusal = watch.refusal();
    if (refusal !== null) return refused(refusal);
    if (begun === null) {
      const { sameKey, control } = source;
      const small = { ...stagingTarget(source), drop, plan: recorded, sameKey, expected: control?.rows };
      const atOnce = await stageSmallDrop(ledger, lease, small, { rows: batch, rowsRead, hiddenRows });
      if (atOnce.kind !== 'interrupted') progress();
      return atOnce;
    }
    if (batch.length > 0) await write(batch, batch.length);
    return (await staged)
      ? { kind: 'staged', dropId: begun.dropId, rowsRead, hiddenRows }
      : { kind: 'interrupted' };
  } finally {
    await staged.catch(() => {});
  }
}

/** The rows of a file, prepared on a worker thread where the file is large. @param batchRows as in `prepareInWorker`. */
function preparedSteps(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  facts: Awaited<ReturnType<typeof knownLearners>>,
  afterLine: number,
  { ledger, source, beside }: StageContext,
  batchRows: () => number,
) {
  if (!beside || opened.identity.bytes < WORKER_FROM_BYTES) {
    return prepareRows(opened, { ...facts, source, clock: ledger.clock }, plan, afterLine);
  }
  const batches = `${readFilesOf(ledger.beside)}${randomUUID()}-`;
  return prepareInWorker(
    { path, source, plan, facts, afterLine, snapshot: opened.snapshot, batches },
    batchRows,
  );
}

/** Returns a function that leaves the lock free for a moment, unless it just did and no process pushes. */
function createYield({ file, clock }: Ledger, stop: AbortSignal) {
  let yieldedMs = clock.monotonicMs();
  return async (isShared: boolean) => {
    // A database queues the processes that wait for its lock.
    if (file === null || (!isShared && clock.monotonicMs() - yieldedMs < YIELD_EVERY_MS)) return;
    await clock.sleep(YIELD_MS, stop);
    yieldedMs = clock.monotonicMs();
  };
}

/** The characters in the cells of a step. */
function lengthOf(step: PreparedStep | StepInFile): number {
  if (!('rows' in step)) return step.file?.length ?? 0;
  return step.rows.reduce((sum, { cells }) => sum + (cells?.length ?? 0), 0);
}

/** The issue of a file with too much text: a small workbook may refer to one long text from a million cells. */
function tooMuchText(largestFileBytes: number): Issue {
  return issueOf(
    'drop-unreadable',
    null,
    `its cells hold more text than ${sizeWords(largestFileBytes)}, the largest file that its source takes`,
    'look for a long text that is repeated in many cells; to import such files, raise largestFile for the source in registrar.yaml',
  );
}

/** Below this, starting a thread takes longer than reading the file. */
const WORKER_FROM_BYTES = 1_000_000;

function recordedPlan(
  format: DropFormat,
  { sheet, header, profile, settings, sheetsLeft }: DropPlan,
  source: SourceConfig,
  corrections: LedgerFacts['corrections'],
): StagingPlan {
  const mapped = Object.entries(header.match.mapped);
  return {
    format,
    sheet,
    headerLine: header.line,
    header: header.columns,
    mapping: Object.fromEntries(mapped.map(([field, column]) => [field, column.header])),
    settings: settingsWith(settings, corrections),
    sheetsLeft,
    zones: statedZones({ operation: operationNamed(source.operation), header }, profile),
  };
}

/** Adds the mapped learners to the digest: a mapping made meanwhile applies to the whole drop, or to none of its rows. */
function settingsWith(settings: string, corrections: LedgerFacts['corrections']): string {
  return corrections.length === 0
    ? settings
    : `${settings} ${hash('sha256', JSON.stringify(corrections), 'hex').slice(0, 32)}`;
}

/** The fewest rows of a transaction, however slow the disk: larger transactions cost less per row. */
const MIN_ROWS = 2_000;
/** The most rows of a transaction in a small ledger. */
const MAX_ROWS = 40_000;
/**
 * The same in a large ledger, as a share of its submissions. Each transaction writes nearly every page of the key
 * index, however few rows it has. A transaction grows with the ledger, so that the cost of a row stays constant.
 */
const MAX_SHARE = 1 / 50;

/**
 * How many rows the next transaction writes, by those of the last one and the milliseconds that it took. At most twice as many: a
 * single odd measurement has little effect. @param aimMs how long one should take. @param submissions those of the ledger.
 */
export function nextRows(rows: number, ms: number, aimMs: number, submissions: number): number {
  const most = Math.max(MAX_ROWS, Math.round(submissions * MAX_SHARE));
  return Math.max(MIN_ROWS, Math.min(most, rows * 2, Math.round((rows / Math.max(1, ms)) * aimMs)));
}
