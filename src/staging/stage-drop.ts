import { KNOWN_CALLS } from '../config/platform-calls.js';
import { sheetFileName } from '../domain/drop.js';
import { compareTotals, dataRows, type ExpectedRows } from '../domain/files/control-totals.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import {
  type DropPlan,
  type Planned,
  planDrop,
  plansBySheet,
  type ReadingPlan,
} from '../reading/plan-drop.js';
import type { Profiled } from '../reading/table.js';
import { widening } from '../reading/widening.js';
import { checkDrop } from './check/check-drop.js';
import {
  arrive,
  controlOf,
  factsOf,
  isCutShort,
  publish,
  refuse,
  refusePlan,
  repeatOf,
  type StagedFile,
  type StageResult,
  stampIfThere,
  unlessItsFault,
} from './conclude-drop.js';
import { expectationOf, refusalText } from './control-total.js';
import { takeReturned } from './correct/take-returned.js';
import { pinFallback } from './key-settings.js';
import { openDelivered } from './open-delivered.js';
import { isWorthAThread, plannedRows } from './rows-to-stage.js';
import type { StageContext } from './stage-context.js';
import { type Staged, stageRows } from './stage-rows.js';
import { planInWorker } from './worker/plan-in-worker.js';

/**
 * Takes one file, already claimed into processing/, into the ledger: all of it or nothing. A drop that a crash left half
 * staged is resumed after its last line. A workbook whose table continues from sheet to sheet becomes a drop for each of its
 * sheets, and each drop counts whole or not at all. A file of corrections becomes decisions instead.
 * @returns what became of the file, for such a workbook sheet by sheet; after an interruption no sheet follows.
 */
export async function stageDrop(
  path: string,
  fileName: string,
  context: StageContext,
): Promise<readonly StageResult[]> {
  const stamp = await stampIfThere(path);
  if (stamp === null) return [{ kind: 'changed' }];
  const file: StagedFile = { path, stamp, fileName, context };
  return unlessItsFault(file, async () => {
    const opened = await openDelivered(path, context.source);
    const drop = factsOf(opened.identity, file);
    const { repeated, begunUnder } = await arrive(drop, context);
    // A sheet may count now that didn't count when the file came in before, or that an earlier run was stopped before.
    const mayGoOn = opened.workbook !== null && context.source.sheets !== undefined;
    if (repeated && !mayGoOn) return repeated;
    const expected = expectationOf(context.source);
    const planned = await planToStage(path, opened, begunUnder, context);
    if (repeated) {
      if (planned.kind === 'correction') return repeated;
      const known = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
      return known.kind === 'export' ? goOn(repeated, opened, known, file) : repeated;
    }
    if (planned.kind === 'correction') return takeReturned(opened, planned.sheets, drop, file);
    return stagePlanned(opened, planned, expected, drop, file);
  });
}

async function stagePlanned(
  opened: OpenedDrop,
  planned: Planned,
  expected: ExpectedRows | null,
  drop: DropFacts,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const { path, context } = file;
  const plan = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
  if (plan.kind === 'refused') return [await refusePlan(plan, drop, opened.format, file)];
  await pinFallback(context.ledger, context.source, opened);
  const ahead = await countAhead(opened, plan, expected, context);
  const control = controlOf(expected, ahead, context.source);
  if (control?.isBinding && ahead !== null && compareTotals(control.expected, ahead).state !== 'met') {
    const text = refusalText(control.expected, ahead);
    return [await refuse(drop, opened.format, { code: 'control-total', text }, file)];
  }
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
  const first = await publish(staged, drop, opened.format, file, expected, ahead);
  return goOn(first, opened, plan, file);
}

/** Stages the sheets that continue the table, each as a drop of its own. Planning has read all of them. */
async function goOn(
  first: StageResult,
  opened: OpenedDrop,
  plan: DropPlan,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [first];
  for (const ofSheet of plansBySheet(plan).slice(1)) {
    if (results.some((result) => isCutShort(result) || result.kind === 'refused')) break;
    const part = ofSheet.sheet ?? '';
    const sheet = { ...file, part, fileName: sheetFileName(file.fileName, part) };
    results.push(...(await unlessItsFault(sheet, async () => stageFurther(opened, ofSheet, sheet))));
  }
  return results;
}

async function stageFurther(opened: OpenedDrop, plan: DropPlan, file: StagedFile): Promise<StageResult> {
  const { path, context } = file;
  const drop = factsOf(opened.identity, file);
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  const staged = await stageRows(await plannedRows(path, opened, plan, context), drop, context);
  return publish(staged, drop, opened.format, file);
}

/**
 * Counts the rows of data of a file whose sheets are several drops: the expected number is that of the whole file, so it
 * must be known before any sheet counts. null for any other file, and where nobody says how many rows there should be.
 */
async function countAhead(
  opened: OpenedDrop,
  plan: DropPlan,
  expected: ExpectedRows | null,
  { ledger, source, operation }: StageContext,
): Promise<number | null> {
  if (expected === null || plan.further.length === 0) return null;
  let read = 0;
  for (const ofSheet of plansBySheet(plan)) {
    const checked = await checkDrop(opened, ofSheet, {
      ledger,
      clock: ledger.clock,
      // Rows are counted however many of them are invalid, and whichever of them counts.
      source: { ...source, invalid: { ...source.invalid, most: 100 }, sameKey: 'last' },
      operation,
      calls: KNOWN_CALLS,
      limit: 0,
    });
    read += dataRows(checked.dispositions);
  }
  return read;
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
