import { partFileName } from '../domain/drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { operationNamed } from '../operations/registry.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import { type DropPlan, type Planned, planDrop, type ReadingPlan } from '../reading/plan-drop.js';
import { widening } from '../reading/table.js';
import { takeReturned } from './correct/returned-file.js';
import { arrive, factsOf, refusePlan, type StagedFile, unlessItsFault } from './door.js';
import { pinFallback } from './key-settings.js';
import { openDelivered } from './open-delivered.js';
import { publish } from './publish.js';
import { plannedRows } from './rows-to-stage.js';
import type { StageContext, StageResult } from './stage-context.js';
import { type Staged, stageRows } from './stage-rows.js';

/**
 * Imports one file into the ledger: all of it or nothing. A drop that a crash left half staged is resumed after its
 * last line. A workbook whose table continues from sheet to sheet becomes one drop for each sheet, and each drop
 * counts whole or not at all. A corrected file becomes decisions instead.
 * @returns the result, for such a workbook sheet by sheet; an interruption is the last.
 */
export async function stageDrop(file: StagedFile): Promise<StageResult | readonly StageResult[]> {
  const { path, context } = file;
  const opened = await openDelivered(path, context.source);
  const drop = factsOf(opened.identity, file);
  const { repeated, begunUnder } = await arrive(drop, context);
  // A later sheet may be new: because settings changed, or because an earlier run was interrupted before it.
  if (repeated && (opened.workbook === null || context.source.sheets === undefined)) return repeated;
  const planned = await planToStage(opened, begunUnder, context);
  if (planned.kind === 'correction') return repeated ?? takeReturned(opened, planned.sheets, drop, file);
  const plan = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
  if (plan.kind === 'refused') return repeated ?? refusePlan(plan, drop, opened.format, file);
  await pinFallback(context.ledger, context.source, opened);
  return stageSheets(opened, plan, repeated, file);
}

/**
 * Stages the sheets of a table, each as a separate drop; a text file has one. Planning has read all of several sheets.
 * @param known the earlier result of the first sheet; null: it is new.
 */
async function stageSheets(
  opened: OpenedDrop,
  plan: DropPlan,
  known: StageResult | null,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [known ?? (await stageSheet(opened, plan, file))];
  for (const ofSheet of plan.further) {
    if (results.some(({ kind }) => kind !== 'published' && kind !== 'repeated')) break;
    const part = ofSheet.sheet ?? '';
    const sheet = { ...file, part, fileName: partFileName(file.fileName, part) };
    const further = async () => {
      const { repeated } = await arrive(factsOf(opened.identity, sheet), sheet.context);
      return repeated ?? stageSheet(opened, ofSheet, sheet);
    };
    results.push(...(await unlessItsFault(sheet, further)));
  }
  return results;
}

async function stageSheet(opened: OpenedDrop, first: DropPlan, file: StagedFile): Promise<StageResult> {
  const { path, context } = file;
  const drop = factsOf(opened.identity, file);
  const staged = await widening<Planned, Staged>(
    async (profiled) => {
      const planned = await planDrop(
        opened,
        operationNamed(context.source.operation),
        context.source,
        profiled,
      );
      if (planned.kind === 'correction')
        throw new Error('a file became a corrected file while it was staged');
      return requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
    },
    async (plan, profiled) => {
      if (plan.kind === 'refused') return plan;
      // The digest of the settings may be unchanged although the rows are read differently.
      const from = profiled === 'whole' ? 'the-first-row' : 'where-it-was-left';
      return stageRows(await plannedRows(path, opened, plan, context), drop, context, from);
    },
    first,
  );
  return publish(staged, drop, opened.format, file);
}

/** Plans a drop; a half staged drop is planned as before, if that is still possible. */
async function planToStage(
  opened: OpenedDrop,
  begunUnder: string | null,
  { source }: StageContext,
): Promise<ReadingPlan> {
  const operation = operationNamed(source.operation);
  const plan = await planDrop(opened, operation, source, 'sample');
  if (plan.kind !== 'export' || begunUnder === null || begunUnder === plan.settings) return plan;
  return planDrop(opened, operation, source, 'whole');
}
