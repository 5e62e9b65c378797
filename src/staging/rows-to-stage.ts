import { hash, randomUUID } from 'node:crypto';
import type { DropFormat } from '../domain/drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { type KnownLearners, knownLearners } from '../ledger/decisions/known-learners.js';
import type { StagingPlan } from '../ledger/drops/begin-drop.js';
import { readFilesOf } from '../ledger/submissions/staging/read-rows.js';
import { zonesSaid } from '../normalise/guiding-cells.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan } from '../reading/plan-drop.js';
import { preparationOf } from './prepare/preparation.js';
import { type PreparedStep, prepareRows } from './prepare/prepare-rows.js';
import type { StageContext } from './stage-context.js';
import { prepareInWorker, type StepInFile } from './worker/prepare-in-worker.js';

/** Below this, starting a thread takes longer than reading the file. */
const WORKER_FROM_BYTES = 1_000_000;

/** A step through a drop. A thread beside the writer hands over its rows in files. */
export type StepToStage = PreparedStep | StepInFile;

/** A drop's rows, and what is recorded of how they are read. */
export interface RowsToStage {
  readonly plan: StagingPlan;
  /** How many rows there probably are; null where it isn't known. */
  readonly expectedRows: number | null;
  /**
   * All rows from the first on; rows up to `afterLine` come without what is to be written.
   * @param batchRows how many rows the writer takes at once; asked anew each time.
   */
  steps(afterLine: number, batchRows: () => number): AsyncIterable<StepToStage>;
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
      zones: zonesSaid(operationNamed(context.source.operation), header, plan.profile),
    },
    expectedRows,
    steps: (afterLine, batchRows) =>
      preparedSteps({ path, opened, plan, afterLine, batchRows }, learners, context),
  };
}

function stagingPlan(
  format: DropFormat,
  sheet: string | null,
  { line, columns, match }: FoundHeader,
  settings: string,
): StagingPlan {
  const mapping = Object.fromEntries(
    Object.entries(match.mapped).map(([field, column]) => [field, column.header]),
  );
  return { format, sheet, headerLine: line, header: columns, mapping, settings, sheetsLeft: [], zones: [] };
}

interface FileToRead {
  readonly path: string;
  readonly opened: OpenedDrop;
  readonly plan: DropPlan;
  readonly afterLine: number;
  readonly batchRows: () => number;
}

/** The drop's steps, prepared on a thread beside the writer where the drop is large enough to start one. */
function preparedSteps(
  { path, opened, plan, afterLine, batchRows }: FileToRead,
  { corrections, suppressed }: KnownLearners,
  context: StageContext,
): AsyncIterable<StepToStage> {
  const { ledger, source } = context;
  const facts = { salt: ledger.salt, corrections, suppressed };
  if (context.beside && opened.identity.bytes >= WORKER_FROM_BYTES) {
    const batches = `${readFilesOf(ledger.beside, source.name)}${randomUUID()}-`;
    return prepareInWorker({ path, source, plan, facts, afterLine, seen: opened.seen, batches }, batchRows);
  }
  return prepareRows(opened, preparationOf(source, facts, ledger.clock), plan, afterLine);
}

/**
 * Adds the learners' corrections to the digest: a correction made meanwhile counts for the whole drop or for no row of it.
 */
function settingsWith(settings: string, { corrections }: Pick<KnownLearners, 'corrections'>): string {
  return corrections.length === 0
    ? settings
    : `${settings} ${hash('sha256', JSON.stringify(corrections), 'hex').slice(0, 32)}`;
}
