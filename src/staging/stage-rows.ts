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
import { ROOM_MS } from '../ledger/leases/leave-room.js';
import {
  type PreparedRows,
  readFilesOf,
  removeReadFiles,
  type StagedRow,
} from '../ledger/submissions/staging/read-rows.js';
import { stageBatch } from '../ledger/submissions/staging/staging.js';
import { statedZones } from '../normalise/field-reader.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan } from '../reading/plan-drop.js';
import { invalidWatch } from './prepare/mostly-invalid.js';
import { type LedgerFacts, prepareRows } from './prepare/prepare-rows.js';
import { type StageContext, stagingTarget } from './stage-context.js';
import { MAX_BATCH_LENGTH, prepareInWorker } from './worker/prepare-in-worker.js';

/** How long one transaction may take while another process pushes, which waits for the lock meanwhile. */
const SHARED_BATCH_MS = 150;
/** The same while no process pushes: no process should wait for a second. */
const LONE_BATCH_MS = 700;
/** How often the lock is released while no process pushes: decisions need it too, but not after each batch. */
const ROOM_EVERY_MS = 400;

export interface StagedRows {
  readonly kind: 'staged';
  readonly dropId: number;
  readonly rowsRead: number;
  readonly hiddenRows: number;
}

/** The result of staging a drop's rows. `refused`: nearly all rows are invalid for the same cause. */
export type Staged = StagedRows | Refused | { readonly kind: 'interrupted' };

/**
 * Stages all rows of a drop that aren't staged yet. The rows of a large file are prepared on a worker thread. The caller
 * publishes or refuses the drop. Throws UndecidedRow where a row needs a plan with a profile of the whole drop: stage the
 * drop again under such a plan.
 * @param path of the opened file. @param from as in `beginDrop`.
 */
export async function stageRows(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  drop: DropFacts,
  context: StageContext,
  from?: Parameters<typeof beginDrop>[3],
): Promise<Staged> {
  const { ledger, lease, source } = context;
  const { expectedRows } = plan;
  const facts = await knownLearners(ledger);
  const watch = invalidWatch(source);
  let textLength = 0;
  const recorded = recordedPlan(opened.format, plan, source, facts.corrections);
  const { dropId, stagedLine: afterLine } = await beginDrop(ledger, drop, recorded, from);
  const target = stagingTarget(dropId, source);
  let batchRows = MIN_ROWS;
  let rowsRead = 0;
  let hiddenRows = 0;
  let batch: StagedRow[] = [];
  let batchLength = 0;
  let isShared = false;
  let roomMs = ledger.clock.monotonicMs();
  const leaveRoom = async () => {
    // A database queues the processes that wait for its lock.
    if (ledger.file === null) return;
    if (!isShared && ledger.clock.monotonicMs() - roomMs < ROOM_EVERY_MS) return;
    await ledger.clock.sleep(ROOM_MS, context.stop);
    roomMs = ledger.clock.monotonicMs();
  };
  const stage = async (rows: PreparedRows['rows'], count: number, turn: Promise<boolean>) => {
    const written = await stageBatch(ledger, lease, target, { rows }, turn).finally(() => {
      if (typeof rows === 'string') rmSync(rows, { force: true });
    });
    if (written === null) return false;
    isShared = written.isShared;
    const aimMs = isShared ? SHARED_BATCH_MS : LONE_BATCH_MS;
    batchRows = nextRows(count, written.ms, aimMs, written.submissions);
    failpoint('batch-committed');
    context.listen({ kind: 'rows', file: drop.fileName, rows: rowsRead, expectedRows });
    await leaveRoom();
    return true;
  };
  /** Resolves when the latest batch is staged; false: it wasn't. */
  let staged = Promise.resolve(true);
  /** A database receives a batch while it writes the one before. @returns false: a batch could not be staged. */
  const write = async (rows: PreparedRows['rows'], count: number) => {
    batch = [];
    batchLength = 0;
    const before = staged;
    staged = stage(
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
      const length =
        'rows' in step
          ? step.rows.reduce((sum, { cells }) => sum + (cells?.length ?? 0), 0)
          : (step.file?.length ?? 0);
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
    if (batch.length > 0) await write(batch, batch.length);
    return (await staged) ? { kind: 'staged', dropId, rowsRead, hiddenRows } : { kind: 'interrupted' };
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
  const readFiles = readFilesOf(ledger.beside, source.name);
  removeReadFiles(readFiles);
  if (!beside || opened.identity.bytes < WORKER_FROM_BYTES) {
    return prepareRows(opened, { ...facts, source, clock: ledger.clock }, plan, afterLine);
  }
  const batches = `${readFiles}${randomUUID()}-`;
  return prepareInWorker({ path, source, plan, facts, afterLine, seen: opened.seen, batches }, batchRows);
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

/** A plan as the ledger records it. */
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
