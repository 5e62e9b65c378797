import type { SourceConfig } from '../config/schema.js';
import type { DropFormat, DropIdentity } from '../domain/drop.js';
import { issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Disposition } from '../domain/row.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { surveyBytes } from '../intake/survey-bytes.js';
import { dropDispositions } from '../ledger/books.js';
import {
  beginDrop,
  type DropFacts,
  discardRows,
  findDrop,
  publishDrop,
  recordArrival,
  refuseDrop,
  resumeDrop,
} from '../ledger/drops.js';
import { keyMaker } from '../ledger/keys.js';
import { isAnyonePushing, type Lease } from '../ledger/leases.js';
import type { Ledger } from '../ledger/query.js';
import { type PreparedBatch, type StagingTarget, settleDrop, stageBatches } from '../ledger/staging.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import type { Operation } from '../operations/operation.js';
import { batchSize } from './batch-size.js';
import { requireKnownMapping } from './known-mapping.js';
import { type DropPlan, planDrop } from './plan-drop.js';
import { prepareInWorker } from './prepare-in-worker.js';
import { type PreparedStep, prepareRows } from './prepare-rows.js';
import type { StageListener } from './stage-event.js';

/** What staging one file needs. */
export interface StageContext {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly runId: number;
  readonly source: SourceConfig;
  readonly operation: Operation;
  /** Who confirmed that columns of the source may be read otherwise than so far; null: nobody. */
  readonly confirmedBy: string | null;
  /** True: large drops are read on a worker thread beside the writer, which needs the compiled program. */
  readonly beside: boolean;
  /** Aborted when staging must stop: what is staged so far is resumed by the next run. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/** What became of a file. */
export type StageResult =
  | {
      readonly kind: 'published';
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  | { readonly kind: 'repeated'; readonly dropId: number }
  | { readonly kind: 'refused'; readonly dropId: number; readonly sentence: string }
  | { readonly kind: 'interrupted' };

/** Below this, starting a thread takes longer than reading the file. */
const WORKER_FROM_BYTES = 1_000_000;

/**
 * How long one transaction may take: a process that pushes waits for the lock meanwhile, and nobody may be made to
 * wait for a second.
 */
const SHARED_BATCH_MS = 150;
const LONE_BATCH_MS = 500;
/** Rows can be long: no more of their packed cells is held in memory. */
const LARGEST_BATCH_BYTES = 16_000_000;
/**
 * SQLite gives its lock to whoever asks first, and one who waits asks every 100 ms at last: without a pause between
 * two batches a process that pushes might never get it.
 */
const ROOM_MS = 110;

/**
 * Takes one file, already claimed into processing/, into the ledger: all of it or nothing. What a crash left half
 * staged is gone on with after its last line.
 */
export async function stageDrop(path: string, fileName: string, context: StageContext): Promise<StageResult> {
  try {
    const opened = await openDrop(path, context.source);
    return await stageOpened(path, opened, fileName, context);
  } catch (error) {
    // A file's fault is its own: it is set aside with its sentence, and the others go on.
    if (!(error instanceof OperatorError) || error.exit !== 'attention') throw error;
    const { identity } = await surveyBytes(path);
    // Bytes that were taken in under other settings stay so.
    const repeated = repeatOf(identity.sha256, fileName, context);
    if (repeated) return repeated;
    const words = [error.message, error.hint].filter(Boolean).join(' ');
    return refuse(context, factsOf(identity, fileName, context), null, words);
  }
}

async function stageOpened(
  path: string,
  opened: OpenedDrop,
  fileName: string,
  context: StageContext,
): Promise<StageResult> {
  const { ledger, source, operation, runId } = context;
  const repeated = repeatOf(opened.identity.sha256, fileName, context);
  if (repeated) return repeated;
  const drop = factsOf(opened.identity, fileName, context);
  const planned = await planDrop(opened, operation, source);
  const plan = requireKnownMapping(ledger, source, planned, context.confirmedBy);
  if (!('header' in plan)) return refuse(context, drop, opened.format, plan.map(issueText).join(' '));
  const staged = await stageRows(path, opened, plan, drop, context);
  if (staged === null) return { kind: 'interrupted' };
  if (!publishDrop(ledger, context.lease, staged.dropId, staged.rowsRead)) return { kind: 'interrupted' };
  for (const _ of settleDrop(ledger, staged.dropId, runId))
    await new Promise((resolve) => setImmediate(resolve));
  return {
    kind: 'published',
    dropId: staged.dropId,
    dispositions: dropDispositions(ledger, staged.dropId),
  };
}

/** Notes that bytes which count already came in again; null when they don't. */
function repeatOf(sha256: string, fileName: string, context: StageContext): StageResult | null {
  const known = findDrop(context.ledger, context.source.name, sha256);
  if (known?.state !== 'published') return null;
  recordArrival(context.ledger, known.dropId, context.runId, fileName);
  return { kind: 'repeated', dropId: known.dropId };
}

/** @returns null when it was interrupted. */
async function stageRows(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  drop: DropFacts,
  context: StageContext,
): Promise<{ dropId: number; rowsRead: number } | null> {
  const { ledger, lease, operation, source } = context;
  const { dropId, stagedLine } = beginOrResume(opened, plan, drop, context);
  const target: StagingTarget = {
    dropId,
    operation,
    environment: source.environment,
    sendAmendments: source.amendments === 'send',
  };
  const size = batchSize(ledger.clock);
  let rowsRead = 0;
  let batches: PreparedBatch[] = [];
  let rows = 0;
  let cellBytes = 0;
  const write = () => {
    if (batches.length === 0) return true;
    const written = size.measured(rows, () => stageBatches(ledger, lease, target, batches) !== null);
    batches = [];
    rows = 0;
    cellBytes = 0;
    if (written) context.listen({ kind: 'rows', file: drop.fileName, rows: rowsRead });
    return written;
  };
  for await (const step of preparedSteps(path, opened, plan, stagedLine, context)) {
    rowsRead += step.rowsRead;
    if (step.batch) {
      batches.push(step.batch);
      rows += step.batch.rows.length;
      cellBytes += step.batch.block.cells.length;
    }
    if (rows >= size.rows() || cellBytes >= LARGEST_BATCH_BYTES) {
      const isShared = isAnyonePushing(ledger);
      size.aimAt(isShared ? SHARED_BATCH_MS : LONE_BATCH_MS);
      if (!write()) return null;
      if (isShared) await ledger.clock.sleep(ROOM_MS, context.stop);
    }
    if (context.stop.aborted) return null;
  }
  return write() ? { dropId, rowsRead } : null;
}

/** Read beside the writer on a thread of its own, where the drop is worth starting one. */
function preparedSteps(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  afterLine: number,
  { ledger, source, operation, beside }: StageContext,
): AsyncIterable<PreparedStep> {
  const suppressed = suppressedLearners(ledger);
  if (beside && opened.identity.bytes >= WORKER_FROM_BYTES) {
    return prepareInWorker({ path, source, plan, salt: ledger.salt, suppressed: [...suppressed], afterLine });
  }
  const keys = keyMaker(ledger.salt);
  return prepareRows(opened, { operation, source, plan, keys, clock: ledger.clock, suppressed }, afterLine);
}

/** A drop that a crash left half staged is resumed only under the settings it was begun with. */
function beginOrResume(
  opened: OpenedDrop,
  plan: DropPlan,
  drop: DropFacts,
  context: StageContext,
): { dropId: number; stagedLine: number } {
  const known = findDrop(context.ledger, drop.source, drop.identity.sha256);
  if (known?.state === 'staging') {
    if (known.settings === plan.settings) {
      resumeDrop(context.ledger, known.dropId, context.runId);
      return known;
    }
    discardRows(context.ledger, known.dropId);
  }
  const dropId = beginDrop(context.ledger, drop, {
    format: opened.format,
    sheet: plan.sheet,
    headerLine: plan.header.line,
    header: plan.header.columns,
    mapping: Object.fromEntries(
      Object.entries(plan.header.match.mapped).map(([field, column]) => [field, column.header]),
    ),
    settings: plan.settings,
  });
  return { dropId, stagedLine: 0 };
}

function factsOf(identity: DropIdentity, fileName: string, context: StageContext): DropFacts {
  const { source, operation, runId } = context;
  const { sha256, bytes } = identity;
  return {
    source: source.name,
    identity: { sha256, bytes },
    fileName,
    operation: operation.name,
    environment: source.environment,
    runId,
  };
}

function refuse(
  context: StageContext,
  drop: DropFacts,
  format: DropFormat | null,
  words: string,
): StageResult {
  const dropId = refuseDrop(context.ledger, { ...drop, format }, words);
  return { kind: 'refused', dropId, sentence: words };
}
