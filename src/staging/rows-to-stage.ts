import { hash, randomUUID } from 'node:crypto';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { knownLearners } from '../ledger/decisions/known-learners.js';
import type { StagingPlan } from '../ledger/drops/begin-drop.js';
import { readFilesOf } from '../ledger/submissions/staging/read-rows.js';
import { zonesSaid } from '../normalise/guiding-cells.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan } from '../reading/plan-drop.js';
import { type LedgerFacts, preparationOf } from './prepare/preparation.js';
import { type PreparedStep, prepareRows } from './prepare/prepare-rows.js';
import type { StageContext } from './stage-context.js';
import { prepareInWorker, type StepInFile } from './worker/prepare-in-worker.js';

/** Below this, starting a thread takes longer than reading the file. */
const WORKER_FROM_BYTES = 1_000_000;

/** A step through a drop. A worker thread passes its rows on in files. */
export type StepToStage = PreparedStep | StepInFile;

/** A drop's rows, and the record of how they are read. */
export interface RowsToStage {
  readonly plan: StagingPlan;
  /** The expected number of rows; null: unknown. */
  readonly expectedRows: number | null;
  /**
   * All rows from the first on; rows up to `afterLine` are counted only.
   * @param batchRows how many rows the next transaction writes; called before each.
   */
  steps(afterLine: number, batchRows: () => number): AsyncIterable<StepToStage>;
}

/** The rows of a file, prepared on a worker thread where the file is large. */
export async function plannedRows(
  path: string,
  opened: OpenedDrop,
  plan: DropPlan,
  { ledger, source, beside }: StageContext,
): Promise<RowsToStage> {
  const { corrections, suppressed } = await knownLearners(ledger);
  const facts = { salt: ledger.salt, corrections, suppressed };
  const { sheet, header, profile, expectedRows, sheetsLeft } = plan;
  const mapped = Object.entries(header.match.mapped);
  return {
    plan: {
      format: opened.format,
      sheet,
      headerLine: header.line,
      header: header.columns,
      mapping: Object.fromEntries(mapped.map(([field, column]) => [field, column.header])),
      settings: settingsWith(plan.settings, corrections),
      sheetsLeft,
      zones: zonesSaid(operationNamed(source.operation), header, profile),
    },
    expectedRows,
    steps(afterLine, batchRows) {
      if (!beside || opened.identity.bytes < WORKER_FROM_BYTES)
        return prepareRows(opened, preparationOf(source, facts, ledger.clock), plan, afterLine);
      const batches = `${readFilesOf(ledger.beside, source.name)}${randomUUID()}-`;
      return prepareInWorker({ path, source, plan, facts, afterLine, seen: opened.seen, batches }, batchRows);
    },
  };
}

/**
 * Adds the mapped learners to the digest: a mapping made meanwhile applies to the whole drop, or to none of its rows.
 */
function settingsWith(settings: string, corrections: LedgerFacts['corrections']): string {
  return corrections.length === 0
    ? settings
    : `${settings} ${hash('sha256', JSON.stringify(corrections), 'hex').slice(0, 32)}`;
}
