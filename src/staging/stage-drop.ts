import { dirname } from 'node:path';
import { type DropFormat, partFileName } from '../domain/drop.js';
import { failpoint } from '../domain/process/failpoint.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { unpack } from '../intake/container/unpack.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { assertUnchanged } from '../intake/read-bytes.js';
import { surveyBytes } from '../intake/text/encoding/survey-bytes.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { type ExpectedRows, type PublishedRows, publishDrop } from '../ledger/drops/publish-drop.js';
import { recordInbox } from '../ledger/drops/record-inbox.js';
import { excludeSameKeys } from '../ledger/submissions/staging/same-key.js';
import { operationNamed } from '../operations/registry.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import { type DropPlan, type PlanResult, planDrop, type ReadingPlan } from '../reading/plan-drop.js';
import { widening } from '../reading/table.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { importCorrectedFile } from './correct/corrected-file.js';
import { pinFallback } from './key-settings.js';
import { openSourceFile, requireAllowedSize, unpackRoom } from './open-file.js';
import {
  applyPublished,
  arrive,
  factsOf,
  refuse,
  refuseIfFaulty,
  refusePlan,
  type StagedFile,
  stageIfPresent,
} from './refuse-file.js';
import type { StageContext, StageResult } from './stage-context.js';
import { type StagedDrop, stageRows } from './stage-rows.js';

/**
 * Imports one file into the ledger: all of it or nothing. A drop that a crash left half staged is resumed after its
 * last line. A workbook whose table continues from sheet to sheet becomes one drop for each sheet, and each drop
 * counts whole or not at all. A corrected file becomes decisions instead.
 * @returns the result, for such a workbook sheet by sheet; an interruption is the last.
 */
async function stageDrop(file: StagedFile): Promise<StageResult | readonly StageResult[]> {
  const { path, context } = file;
  const opened = await openSourceFile(path, context.source);
  const drop = factsOf(opened.identity, file);
  const arrival = await arrive(drop, context);
  const repeated = arrival.kind === 'new' ? null : arrival;
  // A later sheet may be new: because settings changed, or because an earlier run was interrupted before it.
  if (repeated && (opened.workbook === null || context.source.sheets === undefined)) return repeated;
  const planned = await planToStage(opened, arrival, context);
  if (planned.kind === 'correction')
    return repeated ?? importCorrectedFile(opened, planned.sheets, drop, file);
  const plan = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
  if (plan.kind === 'refused') return repeated ?? refusePlan(plan, drop, opened.format, file);
  await pinFallback(context.ledger, context.source, opened);
  return stageSheets(opened, plan, arrival, file);
}

/**
 * Stages the sheets of a table, each as a separate drop; a text file has one. Planning has read all of several sheets.
 * @param arrival of the first sheet.
 */
async function stageSheets(
  opened: OpenedDrop,
  plan: DropPlan,
  arrival: Arrived,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const stage = (sheet: DropPlan, how: Arrived, as: StagedFile) =>
    how.kind === 'new' ? stageSheet(opened, sheet, how, as) : Promise.resolve(how);
  const results = [await stage(plan, arrival, file)];
  for (const ofSheet of plan.further) {
    if (results.some(({ kind }) => kind !== 'published' && kind !== 'repeated')) break;
    const part = ofSheet.sheet ?? '';
    const sheet = { ...file, part, fileName: partFileName(file.fileName, part) };
    const further = async () =>
      stage(ofSheet, await arrive(factsOf(opened.identity, sheet), sheet.context), sheet);
    results.push(...(await refuseIfFaulty(sheet, further)));
  }
  return results;
}

type Arrived = Awaited<ReturnType<typeof arrive>>;

async function stageSheet(
  opened: OpenedDrop,
  first: DropPlan,
  { begunUnder }: Extract<Arrived, { readonly kind: 'new' }>,
  file: StagedFile,
): Promise<StageResult> {
  const { path, context } = file;
  const drop = factsOf(opened.identity, file);
  const staged = await widening<PlanResult, StagedDrop>(
    async (profiled) => {
      const planned = await planDrop(opened, context.source, profiled);
      if (planned.kind === 'correction')
        throw new Error('a file became a corrected file while it was staged');
      return requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
    },
    async (plan, profiled) => {
      if (plan.kind === 'refused') return plan;
      // The digest of the settings may be unchanged although the rows are read differently.
      const resumed = begunUnder === null ? null : 'last-staged-row';
      const from = profiled === 'whole' ? 'first-row' : resumed;
      return stageRows(path, opened, plan, drop, context, from);
    },
    first,
  );
  return publish(staged, drop, opened.format, file);
}

/** Plans a drop; a half staged drop is planned as before, if that is still possible. */
async function planToStage(
  opened: OpenedDrop,
  arrival: Arrived,
  { source }: StageContext,
): Promise<ReadingPlan> {
  const plan = await planDrop(opened, source, 'sample');
  const begunUnder = arrival.kind === 'new' ? arrival.begunUnder : null;
  if (plan.kind !== 'export' || begunUnder === null || begunUnder === plan.settings) return plan;
  return planDrop(opened, source, 'whole');
}

/** Publishes the staged rows of a file, or refuses the file: for its rows, or for having too few or too many of them. */
async function publish(
  staged: StagedDrop,
  drop: DropFacts,
  format: DropFormat,
  file: StagedFile,
): Promise<StageResult> {
  if (staged.kind === 'interrupted') return { kind: 'interrupted' };
  if (staged.kind === 'refused') return refusePlan(staged, drop, format, file);
  const { context } = file;
  if (staged.kind === 'published') return published(staged, context);
  const { ledger, lease, source } = context;
  const operation = operationNamed(source.operation);
  if (!(await excludeSameKeys(ledger, lease, staged.dropId, operation, source.sameKey))) {
    return { kind: 'interrupted' };
  }
  const publication = await publishDrop(ledger, lease, staged.dropId, staged, source.control?.rows);
  if (publication.kind === 'overtaken') return { kind: 'interrupted' };
  if (publication.kind === 'different') {
    const text = refusalText(publication.expected, publication.read);
    return refuse(drop, format, { code: 'control-total', text }, file);
  }
  return published(publication, context);
}

function published(rows: PublishedRows, context: StageContext): Promise<StageResult> {
  failpoint('drop-published');
  return applyPublished(rows, context);
}

function refusalText({ min, max }: ExpectedRows, read: number): string {
  const [bound, rows] = read < min ? ['least', min] : ['most', max ?? 0];
  return `At ${bound} ${countOf(rows, 'row is', 'rows are')} expected, but ${read} ${agreeing(read, 'was', 'were')} read. ${REMEDY}`;
}

const REMEDY =
  'Have the whole file sent again; or, if the file is complete, correct control.rows of the source and move the file into the inbox again.';

/**
 * Imports one file, already claimed into processing/, into the ledger: a container file by file, each as a separate drop, and any
 * other file as `stageDrop` does. The files of a container are unpacked beside it, and removed afterwards.
 * @param stamp of the file before it was read; null: it is gone.
 * @returns the result for each file; an interruption is the last.
 */
export async function stageFile(
  path: string,
  fileName: string,
  stamp: string | null,
  context: StageContext,
): Promise<readonly StageResult[]> {
  const { ledger, source, stop } = context;
  const { rules, remove } = unpackRoom(source, dirname(path), stop);
  try {
    const stage = async (delivered: StagedFile) => {
      requireAllowedSize(path, source);
      const files = await unpack(path, rules);
      if (files === null) return stageDrop(delivered);
      const { identity } = await surveyBytes(path);
      assertUnchanged(path, delivered.stamp);
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      await recordInbox(ledger, source.name, { kind: 'unpacked', container: identity, files: hashes });
      failpoint('container-unpacked');
      const results: StageResult[] = [];
      for (const file of files) {
        if (results.some(({ kind }) => kind === 'interrupted' || kind === 'changed')) break;
        const name = file.name === null ? fileName : partFileName(fileName, file.name);
        results.push(...(await stageIfPresent(file.path, name, context, stageDrop)));
      }
      return results;
    };
    return await stageIfPresent(path, fileName, context, stage, stamp);
  } catch (error) {
    if (stop.aborted && error instanceof Error && error.name === 'AbortError')
      return [{ kind: 'interrupted' }];
    throw errorCode(error) === null ? error : ioError('unpack a file', path, error);
  } finally {
    await remove();
  }
}
