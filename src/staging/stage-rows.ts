import { hash } from 'node:crypto';
import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { DropFormat } from '../domain/drop.js';
import { failpoint } from '../domain/failpoint.js';
import type { Issue } from '../domain/issue.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { type KnownLearners, knownLearners } from '../ledger/decisions/known-learners.js';
import { beginDrop, type StagingPlan } from '../ledger/drops/begin-drop.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import type { Lease } from '../ledger/leases/leases.js';
import { ROOM_MS } from '../ledger/store/pages.js';
import type { Ledger } from '../ledger/store/query.js';
import { stageBatch } from '../ledger/submissions/staging.js';
import type { FoundHeader } from '../normalise/find-header.js';
import type { Operation } from '../operations/operation.js';
import type { DropPlan } from '../reading/plan-drop.js';
import type { RedropPlan } from '../reading/plan-redrop.js';
import { type Refused, refused } from '../reading/refused.js';
import { batchSize } from './batch-size.js';
import { type AddressPlan, type MapLearner, prepareAddresses } from './prepare/address-sheet.js';
import { invalidWatch } from './prepare/mostly-invalid.js';
import { type PackedStep, packStep, rowsOf } from './prepare/packed-step.js';
import { preparationOf } from './prepare/preparation.js';
import { prepareRedrop } from './prepare/prepare-redrop.js';
import { prepareRows } from './prepare/prepare-rows.js';
import type { StageListener } from './stage-event.js';
import { stagingTarget } from './staging-target.js';
import { prepareInWorker } from './worker/prepare-in-worker.js';

/** What staging one file needs. */
export interface StageContext {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly runId: number;
  /** An earlier run left the file in processing/, and may have noted that it came in. */
  readonly isLeft: boolean;
  /** Where its control file lies; null when none came. */
  readonly control: string | null;
  readonly source: SourceConfig;
  readonly operation: Operation;
  /** All sources: a file of corrections may be of others than the one whose inbox it lay in. */
  readonly sources: readonly SourceConfig[];
  /** Who confirmed that columns of the source may be read otherwise than so far; null: nobody. */
  readonly confirmedBy: Decider | null;
  /** Who decides what corrections ask for. */
  readonly who: Decider;
  /** Why; null where the file itself, by its name, is all that is known. */
  readonly because: string | null;
  /** Carries out the right addresses of learners that a workbook brings. */
  readonly mapLearner: MapLearner;
  /** Carries out what corrected rows decide about those that they stand for. */
  readonly closeCorrected: CloseCorrected;
  /** True: large drops are read on a worker thread beside the writer, which needs the compiled program. */
  readonly beside: boolean;
  /** Aborted when staging must stop: what is staged so far is resumed by the next run. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/**
 * Makes room for what the rows of a corrected attention file became, once that is published; the caller holds the stage
 * lease. May be asked again, which picks up what is left.
 */
export type CloseCorrected = (
  corrected: { readonly dropId: number; readonly runId: number },
  who: Decider,
  because: string,
) => Promise<void>;

/** Below this, starting a thread takes longer than reading the file. */
const WORKER_FROM_BYTES = 1_000_000;

/**
 * How long one transaction may take: a process that pushes waits for the lock meanwhile, and nobody may be made to
 * wait for a second.
 */
const SHARED_BATCH_MS = 150;
const LONE_BATCH_MS = 700;
/** Rows can be long: no more of their packed cells is held in memory. */
const LARGEST_BATCH_BYTES = 16_000_000;
/** Where nobody pushes, a look at the ledger or a decision must get the lock as well, though not after each batch. */
const ROOM_EVERY_MS = 400;

/** Rows that are read before they are asked for where nothing is written. */
const LOOK_AHEAD_ROWS = 2_000;

/** A drop's rows, and what is recorded of how they are read. */
export interface RowsToStage {
  readonly plan: StagingPlan;
  /** How many there probably are; null: nothing tells. */
  readonly expectedRows: number | null;
  /** True where they are corrected rows of an earlier drop. */
  readonly isRedrop: boolean;
  /** What their source says of files nearly all of whose rows are invalid; null: they count whatever they are. */
  readonly bounds: Pick<SourceConfig, 'invalid'> | null;
  /**
   * All of them from the first on, those up to this line without what is to be written.
   * @param aheadRows so many may be read before they are asked for, by now.
   */
  steps(afterLine: number, aheadRows: () => number): AsyncIterable<PackedStep>;
}

/** All rows of a drop are staged and can be published. */
export interface StagedRows {
  readonly kind: 'staged';
  readonly dropId: number;
  readonly rowsRead: number;
  readonly hiddenRows: number;
}

/**
 * Writes all rows of a drop that are not staged yet, for the caller to publish.
 * @param from as in `beginDrop`.
 * Throws UndecidedRow when a row asks for a plan with a profile of the whole drop: stage it again under one.
 * @returns refused when nearly all rows are invalid for the same cause, which ends staging early: refuse the drop.
 */
export async function stageRows(
  toStage: RowsToStage,
  drop: DropFacts,
  context: StageContext,
  from?: Parameters<typeof beginDrop>[3],
): Promise<StagedRows | Refused | { readonly kind: 'interrupted' }> {
  const { ledger, lease, source } = context;
  const { isRedrop, expectedRows, bounds } = toStage;
  const watch = bounds === null ? null : invalidWatch(bounds);
  let hasLookedAhead = false;
  const { dropId, stagedLine } = await beginDrop(ledger, drop, toStage.plan, from);
  const target = { ...stagingTarget(dropId, source), isRedrop };
  const size = batchSize(ledger.clock);
  let rowsRead = 0;
  let hiddenRows = 0;
  let steps: PackedStep[] = [];
  let rows = 0;
  let cellBytes = 0;
  let isShared = false;
  let roomMs = ledger.clock.monotonicMs();
  const leaveRoom = async () => {
    if (!isShared && ledger.clock.monotonicMs() - roomMs < ROOM_EVERY_MS) return;
    await ledger.clock.sleep(ROOM_MS, context.stop);
    roomMs = ledger.clock.monotonicMs();
  };
  const write = async () => {
    if (steps.length === 0) return true;
    const blocks = steps.flatMap(({ block }) => block ?? []);
    const originals = new Map(steps.flatMap((step) => [...(step.originals ?? [])]));
    const prepared = { rows: rowsOf(steps), blocks, originals };
    const staged = await size.measured(rows, () => stageBatch(ledger, lease, target, prepared));
    isShared = staged?.isShared ?? false;
    size.beside(staged?.submissions ?? 0);
    size.aimAt(isShared ? SHARED_BATCH_MS : LONE_BATCH_MS);
    failpoint('batch-committed');
    steps = [];
    rows = 0;
    cellBytes = 0;
    if (staged) context.listen({ kind: 'rows', file: drop.fileName, rows: rowsRead, expectedRows });
    return staged !== null;
  };
  for await (const step of toStage.steps(stagedLine, size.rows)) {
    rowsRead += step.rowsRead;
    hiddenRows += step.hiddenRows;
    watch?.add(step.judged);
    if (bounds !== null && watch?.verdict() === 'doubtful' && !hasLookedAhead) {
      hasLookedAhead = true;
      const refusal = await lookAhead(toStage, bounds, context.stop);
      if (refusal !== null) return refused(refusal);
    }
    if (watch?.verdict() === 'refused') return refused(watch.refusal(false) as Issue);
    if (step.block) {
      steps.push(step);
      rows += step.lines.length + step.others.length;
      cellBytes += step.block.cells.length;
    }
    if (rows >= size.rows() || cellBytes >= LARGEST_BATCH_BYTES) {
      if (!(await write())) return { kind: 'interrupted' };
      await leaveRoom();
    }
    if (context.stop.aborted) return { kind: 'interrupted' };
  }
  const refusal = watch?.refusal(true) ?? null;
  if (refusal !== null) return refused(refusal);
  return (await write()) ? { kind: 'staged', dropId, rowsRead, hiddenRows } : { kind: 'interrupted' };
}

/**
 * Reads on without writing anything, where the first rows are nearly all invalid, until the others show that the drop is
 * better than that, or that it isn't.
 * @returns why it is refused; null when it isn't, or is still to be seen.
 */
async function lookAhead(
  { steps }: RowsToStage,
  bounds: Pick<SourceConfig, 'invalid'>,
  stop: AbortSignal,
): Promise<Issue | null> {
  const watch = invalidWatch(bounds);
  let wasDoubtful = false;
  for await (const step of steps(Number.MAX_SAFE_INTEGER, () => LOOK_AHEAD_ROWS)) {
    if (stop.aborted) return null;
    watch.add(step.judged);
    const verdict = watch.verdict();
    if (verdict === 'refused') return watch.refusal(false);
    if (verdict === 'fine' && wasDoubtful) return null;
    wasDoubtful = verdict === 'doubtful';
  }
  return watch.refusal(true);
}

/** True where reading the drop takes so long that starting a thread for it pays. */
export function isWorthAThread({ identity }: OpenedDrop, { beside }: Pick<StageContext, 'beside'>): boolean {
  return beside && identity.bytes >= WORKER_FROM_BYTES;
}

/** The rows of a file that is read by its source's settings. */
export async function plannedRows(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  context: StageContext,
): Promise<RowsToStage> {
  const learners = await knownLearners(context.ledger);
  const { sheet, header, expectedRows, sheetsLeft } = plan;
  return {
    plan: {
      ...stagingPlan(opened.format, sheet, header, settingsWith(plan.settings, learners)),
      sheetsLeft,
    },
    expectedRows,
    isRedrop: false,
    bounds: context.source,
    steps: (afterLine, aheadRows) =>
      preparedSteps({ path, opened, plan, afterLine, aheadRows }, learners, context),
  };
}

/** The rows of a corrected attention file. They are prepared on this thread, which has the ledger. */
export async function redropRows(
  opened: OpenedDrop,
  plan: RedropPlan,
  { ledger }: StageContext,
): Promise<RowsToStage> {
  const { header, sheet } = plan;
  const settings = settingsWith(plan.settings, await knownLearners(ledger));
  return {
    plan: stagingPlan(opened.format, sheet, header, settings),
    expectedRows: null,
    isRedrop: true,
    bounds: null,
    async *steps(afterLine) {
      for await (const { step, originals } of prepareRedrop(opened, plan, ledger, afterLine)) {
        yield { ...packStep(step), originals };
      }
    },
  };
}

/** The rows of a sheet with right addresses of learners. */
export function addressRows(opened: OpenedDrop, plan: AddressPlan): RowsToStage {
  const { sheet, headerLine, columns } = plan.sheet;
  const { format } = opened;
  return {
    plan: {
      format,
      sheet,
      headerLine,
      header: columns,
      mapping: {},
      settings: ADDRESS_SETTINGS,
      sheetsLeft: [],
    },
    expectedRows: null,
    isRedrop: false,
    bounds: null,
    async *steps(afterLine) {
      for await (const step of prepareAddresses(opened, plan, afterLine)) yield packStep(step);
    },
  };
}

/** Nothing of registrar.yaml decides how they are read. */
const ADDRESS_SETTINGS = 'addresses/1';

function stagingPlan(
  format: DropFormat,
  sheet: string | null,
  { line, columns, match }: FoundHeader,
  settings: string,
): StagingPlan {
  const mapping = Object.fromEntries(
    Object.entries(match.mapped).map(([field, column]) => [field, column.header]),
  );
  return { format, sheet, headerLine: line, header: columns, mapping, settings, sheetsLeft: [] };
}

interface FileToRead {
  readonly path: string;
  readonly opened: OpenedDrop;
  readonly plan: DropPlan;
  readonly afterLine: number;
  readonly aheadRows: () => number;
}

/** Read beside the writer on a thread of its own, where the drop is worth starting one. */
async function* preparedSteps(
  { path, opened, plan, afterLine, aheadRows }: FileToRead,
  { corrections, suppressed }: KnownLearners,
  context: StageContext,
): AsyncGenerator<PackedStep> {
  const { ledger, source } = context;
  const facts = { salt: ledger.salt, corrections, suppressed };
  if (isWorthAThread(opened, context)) {
    yield* prepareInWorker({ path, source, plan, facts, afterLine, seen: opened.seen }, aheadRows);
    return;
  }
  yield* packed(opened, preparationOf(source, facts, ledger.clock), plan, afterLine);
}

async function* packed(...given: Parameters<typeof prepareRows>): AsyncGenerator<PackedStep> {
  for await (const step of prepareRows(...given)) yield packStep(step);
}

/** A learner's correction that was made since counts for the whole drop or for nothing of it. */
function settingsWith(settings: string, { corrections }: Pick<KnownLearners, 'corrections'>): string {
  return corrections.length === 0
    ? settings
    : `${settings} ${hash('sha256', JSON.stringify(corrections), 'hex').slice(0, 32)}`;
}
