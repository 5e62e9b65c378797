import type { OpenedDrop } from '../intake/opened-drop.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import { type Planned, planDrop, type ReadingPlan } from '../reading/plan-drop.js';
import type { Profiled } from '../reading/table.js';
import { widening } from '../reading/widening.js';
import {
  arrive,
  factsOf,
  publish,
  refusePlan,
  type StagedFile,
  type StageResult,
  stampIfThere,
  unlessItsFault,
} from './conclude-drop.js';
import { takeReturned } from './correct/take-returned.js';
import { pinFallback } from './key-settings.js';
import { openDelivered } from './open-delivered.js';
import { isWorthAThread, plannedRows } from './rows-to-stage.js';
import type { StageContext } from './stage-context.js';
import { type Staged, stageRows } from './stage-rows.js';
import { planInWorker } from './worker/plan-in-worker.js';

/**
 * Takes one file, already claimed into processing/, into the ledger: all of it or nothing. A drop that a crash left half
 * staged is resumed after its last line. A file of corrections becomes decisions instead.
 */
export async function stageDrop(path: string, fileName: string, context: StageContext): Promise<StageResult> {
  const stamp = await stampIfThere(path);
  if (stamp === null) return { kind: 'changed' };
  const file: StagedFile = { path, stamp, fileName, context };
  return unlessItsFault(file, async () => {
    const opened = await openDelivered(path, context.source);
    const drop = factsOf(opened.identity, file);
    const { repeated, begunUnder } = await arrive(drop, context);
    if (repeated) return repeated;
    const planned = await planToStage(path, opened, begunUnder, context);
    if (planned.kind === 'correction') return takeReturned(opened, planned.sheets, drop, file);
    return stagePlanned(opened, planned, drop, file);
  });
}

async function stagePlanned(
  opened: OpenedDrop,
  planned: Planned,
  drop: DropFacts,
  file: StagedFile,
): Promise<StageResult> {
  const { path, context } = file;
  const plan = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
  if (plan.kind === 'refused') return refusePlan(plan, drop, opened.format, file);
  await pinFallback(context.ledger, context.source, opened);
  const staged = await widening<Planned, Staged>(
    async (profiled) => {
      const planned = await planFor(path, opened, profiled, context);
      if (planned.kind === 'correction')
        throw new Error('a file became one of corrections while it was staged');
      return requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
    },
    async (plan, profiled) => {
      if (plan.kind === 'refused') return plan;
      // The digest of the settings may be the same as before although the rows are read otherwise.
      const from = profiled === 'whole' ? 'the-first-row' : 'where-it-was-left';
      return stageRows(await plannedRows(path, opened, plan, context), drop, context, from);
    },
    plan,
  );
  return publish(staged, drop, opened.format, file);
}

/** Plans a drop; a drop that was left half staged is planned as it was then, if that is still possible. */
async function planToStage(
  path: string,
  opened: OpenedDrop,
  begunUnder: string | null,
  context: StageContext,
): Promise<ReadingPlan> {
  const plan = await planFor(path, opened, 'sample', context);
  if (plan.kind !== 'export' || begunUnder === null || begunUnder === plan.settings) return plan;
  return planFor(path, opened, 'whole', context);
}

function planFor(
  path: string,
  opened: OpenedDrop,
  profiled: Profiled,
  context: StageContext,
): Promise<ReadingPlan> {
  const { source, operation } = context;
  if (opened.workbook === null || !isWorthAThread(opened, context)) {
    return planDrop(opened, operation, source, profiled);
  }
  return planInWorker({ path, seen: opened.seen, source, profiled });
}
