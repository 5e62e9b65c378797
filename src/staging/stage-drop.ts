import { KNOWN_CALLS } from '../config/platform-calls.js';
import type { SourceConfig } from '../config/schema.js';
import { compareTotals, dataRows } from '../domain/control-totals.js';
import { type DropFormat, type DropIdentity, sheetFileName } from '../domain/drop.js';
import { failpoint } from '../domain/failpoint.js';
import { issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Disposition } from '../domain/row.js';
import { fileStamp } from '../intake/file-stamp.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { readWork } from '../ledger/books/read-work.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { type Control, publishDrop } from '../ledger/drops/publish-drop.js';
import type { PublishedRows } from '../ledger/drops/published-rows.js';
import { recordArrival } from '../ledger/drops/record-arrival.js';
import { refuseDrop } from '../ledger/drops/refuse-drop.js';
import { UNREAD } from '../ledger/drops/row-prints.js';
import { withdrawDrop } from '../ledger/drops/withdraw-drop.js';
import type { Ledger } from '../ledger/store/query.js';
import { settleDrop } from '../ledger/submissions/staging.js';
import { operationNamed } from '../operations/registry.js';
import type { CorrectionSheet } from '../reading/correction-file.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import {
  type DropPlan,
  type Planned,
  planDrop,
  plansBySheet,
  type ReadingPlan,
} from '../reading/plan-drop.js';
import { planRedrop } from '../reading/plan-redrop.js';
import type { Refused } from '../reading/refused.js';
import { widening } from '../reading/widening.js';
import { errorCode } from '../workspace/io-error.js';
import { openPlain } from '../workspace/plain-file.js';
import { checkDrop } from './check/check-drop.js';
import { type Expectation, expectationOf, refusalText, requireSameBytes, totalsOf } from './control-total.js';
import { pinFallback, requireKnownSettings } from './key-settings.js';
import { openDelivered } from './open-delivered.js';
import { planAddresses, settleAddresses } from './prepare/address-sheet.js';
import { printsOf } from './row-prints.js';
import {
  addressRows,
  isWorthAThread,
  plannedRows,
  redropRows,
  type StageContext,
  stageRows,
} from './stage-rows.js';
import { identityToRefuse } from './too-large.js';
import { planInWorker } from './worker/plan-in-worker.js';

/** What became of a file. */
export type StageResult =
  | {
      readonly kind: 'published';
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  | { readonly kind: 'repeated'; readonly dropId: number }
  | { readonly kind: 'refused'; readonly dropId: number; readonly sentence: string }
  /** It changed while it was read, or is there no more: nothing of it counts, and the ledger doesn't know it. */
  | { readonly kind: 'changed' | 'gone' }
  | { readonly kind: 'interrupted' };

/** True where no further sheet of the file is to be read now. */
function isCutShort({ kind }: StageResult): boolean {
  return kind === 'interrupted' || kind === 'changed' || kind === 'gone';
}

/**
 * Takes one file, already claimed into processing/, into the ledger: all of it or nothing. What a crash left half
 * staged is gone on with after its last line. A workbook of corrections, and one whose table goes on from sheet to sheet,
 * is a drop for each of its sheets, and each of them counts whole or not at all.
 * @returns what became of it, for such a workbook sheet by sheet; after an interruption no sheet follows.
 */
export async function stageDrop(
  path: string,
  fileName: string,
  context: StageContext,
): Promise<readonly StageResult[]> {
  const stamp = await stampIfThere(path);
  if (stamp === null) return [{ kind: 'gone' }];
  const file: StagedFile = { path, stamp, fileName, context };
  return unlessItsFault(file, async () => {
    const opened = await openDelivered(path, context.source);
    const drop = factsOf(opened.identity, file);
    const { repeated, begunUnder } = await arrive(drop, context);
    // A sheet may count by now that didn't when the file came in before, or its run was stopped before it.
    const mayGoOn = opened.workbook !== null && context.source.sheets !== undefined;
    if (repeated && !mayGoOn) return repeated;
    const expected = await expectationOf(context.control, context.source);
    if (!repeated) requireSameBytes(expected, drop.identity.sha256, fileName);
    const planned = await planToStage(path, opened, begunUnder, context);
    if (repeated) {
      if (planned.kind === 'correction') return repeated;
      const known = await requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
      return known.kind === 'export' ? goOn(repeated, opened, known, file) : repeated;
    }
    if (planned.kind === 'correction') return stageCorrections(opened, planned.sheets, file);
    return stagePlanned(opened, planned, expected, drop, file);
  });
}

/** A file, or a sheet of it, on its way into the ledger. */
interface StagedFile {
  readonly path: string;
  /** Of the file as it was before anything of it was read. */
  readonly stamp: string;
  readonly fileName: string;
  /** With the source that its rows are of. */
  readonly context: StageContext;
  /** The sheet, where several sheets of the file are a drop each. */
  readonly part?: string;
}

/** A file's fault is its own: it is set aside with its sentence, and the others go on. */
async function unlessItsFault<T extends StageResult | readonly StageResult[]>(
  file: StagedFile,
  stage: () => Promise<T>,
): Promise<readonly StageResult[]> {
  try {
    return [await stage()].flat();
  } catch (error) {
    const moved = await changeOf(file, error);
    if (moved !== null) {
      await takeBack(file.context);
      return [{ kind: moved }];
    }
    if (!(error instanceof OperatorError) || error.exit !== 'attention') throw error;
    const drop = factsOf(await identityToRefuse(file.path, file.context.source), file);
    // Bytes that were taken in under other settings stay so.
    const repeated = await repeatOf(drop, file.context);
    if (repeated) return [repeated];
    const words = [error.message, error.hint].filter(Boolean).join(' ');
    return [await refuse(drop, null, words, file)];
  }
}

/** What has happened to the file meanwhile, where that may be why it could not be read; null: nothing has. */
async function changeOf({ path, stamp }: StagedFile, error: unknown): Promise<'changed' | 'gone' | null> {
  if (!(error instanceof OperatorError) && errorCode(error) === null) return null;
  const now = await stampIfThere(path);
  if (now === null) return 'gone';
  // A full disk says nothing about the file.
  if (error instanceof OperatorError && error.exit === 'io') return null;
  return now === stamp && (await isReadable(path)) ? null : 'changed';
}

/** False where its owner has closed it meanwhile. */
async function isReadable(path: string): Promise<boolean> {
  try {
    await (await openPlain(path))?.close();
    return true;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return false;
  }
}

/** Another process that has taken over goes on with what is half staged, or takes it back itself. */
async function takeBack({ ledger, lease, runId }: StageContext): Promise<void> {
  const { staging } = await readWork(ledger);
  if (staging !== null) await withdrawDrop(ledger, lease, staging.dropId, runId);
}

async function stampIfThere(path: string): Promise<string | null> {
  try {
    return await fileStamp(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function stagePlanned(
  opened: OpenedDrop,
  planned: Planned,
  expected: Expectation | null,
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
    return [await refuse(drop, opened.format, differenceText(expected, ahead, context.source), file)];
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
      // The settings may be the same as before, although the rows are not.
      const from = profiled === 'whole' ? 'the-first-row' : 'where-it-was-left';
      return stageRows(await plannedRows(path, opened, plan, context), drop, context, from);
    },
    plan,
  );
  const first = await publish(staged, drop, opened.format, file, expected, ahead);
  return goOn(first, opened, plan, file);
}

/** What the rows are compared with; null: nobody says how many there should be. */
function controlOf(
  expected: Expectation | null,
  read: number | null,
  { control }: SourceConfig,
): Control | null {
  if (expected === null || control === undefined) return null;
  return { expected: totalsOf(expected, control), read, isBinding: control.whenDifferent === 'refuse' };
}

function differenceText(expected: Expectation | null, read: number, { control }: SourceConfig): string {
  if (expected === null || control === undefined) throw new Error('nothing was expected');
  return refusalText(expected, control, read);
}

/** Stages the sheets on which the table goes on, each as a drop of its own: all have been read by now. */
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
 * The rows of data of a file whose sheets are several drops: what one of them has says nothing, and none may count before
 * their number is known. null for any other file, and where nobody says how many there should be.
 */
async function countAhead(
  opened: OpenedDrop,
  plan: DropPlan,
  expected: Expectation | null,
  { ledger, source, operation }: StageContext,
): Promise<number | null> {
  if (expected === null || source.control === undefined || plan.further.length === 0) return null;
  let read = 0;
  for (const ofSheet of plansBySheet(plan)) {
    const checked = await checkDrop(opened, ofSheet, {
      ledger,
      clock: ledger.clock,
      // Whatever is wrong with its rows: they are counted.
      source: { ...source, invalid: { ...source.invalid, most: 100 } },
      operation,
      calls: KNOWN_CALLS,
      limit: 0,
    });
    read += dataRows(checked.dispositions);
  }
  return read;
}

/** Each sheet by itself, in the workbook's order: one that can't be taken stops no other. */
async function stageCorrections(
  opened: OpenedDrop,
  sheets: readonly CorrectionSheet[],
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  for (const sheet of sheets) {
    const part = sheets.length === 1 ? undefined : (sheet.sheet ?? undefined);
    const ofSheet = part === undefined ? file : { ...file, part };
    results.push(...(await unlessItsFault(ofSheet, async () => stageSheet(opened, sheet, ofSheet))));
    if (results.some(isCutShort)) break;
  }
  return results;
}

async function stageSheet(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  file: StagedFile,
): Promise<StageResult> {
  const { ledger, sources } = file.context;
  if (sheet.of === 'learners') return stageAddresses(opened, sheet, file);
  const plan = await planRedrop(opened, sheet, ledger, sources);
  if (plan.kind === 'refused') {
    return refusePlan(plan, factsOf(opened.identity, file), opened.format, file);
  }
  const { source } = plan;
  const context = { ...file.context, source, operation: operationNamed(source.operation) };
  const drop = factsOf(opened.identity, { ...file, context });
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  // Those of the inbox's own source are known by now.
  if (source.name !== file.context.source.name) await requireItsSettings(ledger, source);
  // Nobody has counted the rows of a corrected file.
  return publish(
    await stageRows(await redropRows(opened, plan, context), drop, context),
    drop,
    opened.format,
    { ...file, context },
  );
}

/** The right addresses that people have given for learners, as a drop of the source in whose inbox they came. */
async function stageAddresses(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  file: StagedFile,
): Promise<StageResult> {
  const { context } = file;
  const drop = factsOf(opened.identity, file);
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  const plan = await planAddresses(opened, sheet, context.ledger);
  if (plan.kind === 'refused') throw new Error('there is a ledger');
  const staged = await stageRows(addressRows(opened, plan), drop, context);
  return publish(staged, drop, opened.format, file);
}

/** Changed settings of another source than the inbox's are the sheet's trouble, not the inbox's. */
async function requireItsSettings(ledger: Ledger, source: SourceConfig): Promise<void> {
  try {
    await requireKnownSettings(ledger, source, null);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { operation, subject, message, hint } = error;
    throw new OperatorError({ operation, subject, message, hint, exit: 'attention', cause: error });
  }
}

type Staged = Awaited<ReturnType<typeof stageRows>>;

/** @param expected how many rows there should be. @param ahead how many there are, where they were counted before. */
async function publish(
  staged: Staged,
  drop: DropFacts,
  format: DropFormat,
  file: StagedFile,
  expected: Expectation | null = null,
  ahead: number | null = null,
): Promise<StageResult> {
  if (staged.kind === 'interrupted') return { kind: 'interrupted' };
  if (staged.kind === 'refused') return refusePlan(staged, drop, format, file);
  const { context } = file;
  const { ledger, lease, source } = context;
  const control = controlOf(expected, ahead, source);
  const published = await publishDrop(ledger, lease, staged.dropId, staged, control);
  if (published.kind === 'overtaken') return { kind: 'interrupted' };
  if (published.kind === 'different') {
    return refuse(drop, format, differenceText(expected, published.read, source), file);
  }
  failpoint('drop-published');
  return settlePublished(published, drop, context);
}

async function settlePublished(
  { dropId, dispositions, isCorrection }: PublishedRows,
  { fileName }: DropFacts,
  { ledger, runId, who, because, mapLearner, closeCorrected }: StageContext,
): Promise<StageResult> {
  const reason = because ?? fileName;
  // Before anything else makes room for it: a corrected row takes the place of its original by whoever corrected it.
  if (isCorrection) await closeCorrected({ dropId, runId }, who, reason);
  for await (const _ of settleDrop(ledger, dropId, runId));
  await settleAddresses(ledger, dropId, mapLearner, { who, because: reason });
  failpoint('drop-settled');
  return { kind: 'published', dropId, dispositions };
}

/** A drop that was left half staged is planned as it was then, if it still can be. */
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
  profiled: 'sample' | 'whole',
  context: StageContext,
): Promise<ReadingPlan> {
  const { source, operation } = context;
  if (opened.workbook === null || !isWorthAThread(opened, context)) {
    return planDrop(opened, operation, source, profiled);
  }
  return planInWorker({ path, seen: opened.seen, source, profiled });
}

/**
 * What comes of bytes that count already: a repeat, which is noted; but a file that its run published and no more is none, and
 * what was left to do is done. null: they don't count. Then `begunUnder` is as in `Arrival`.
 */
async function arrive(
  drop: DropFacts,
  context: StageContext,
): Promise<{ readonly repeated: StageResult | null; readonly begunUnder: string | null }> {
  const arrival = await recordArrival(context.ledger, drop);
  if (arrival.kind === 'new') return { repeated: null, begunUnder: arrival.begunUnder };
  if (arrival.kind === 'left') {
    return { repeated: await settlePublished(arrival, drop, context), begunUnder: null };
  }
  failpoint('arrival-noted');
  return { repeated: arrival, begunUnder: null };
}

async function repeatOf(drop: DropFacts, context: StageContext): Promise<StageResult | null> {
  return (await arrive(drop, context)).repeated;
}

function factsOf({ sha256, bytes }: DropIdentity, { fileName, part, context }: StagedFile): DropFacts {
  const { source, operation, runId, isLeft } = context;
  return {
    source: source.name,
    identity: { sha256, bytes },
    ...(part === undefined ? {} : { part }),
    fileName,
    operation: operation.name,
    environment: source.environment,
    runId,
    isLeft,
  };
}

function refusePlan(
  { issues }: Refused,
  drop: DropFacts,
  format: DropFormat,
  file: StagedFile,
): Promise<StageResult> {
  return refuse(drop, format, issues.map(issueText).join(' '), file);
}

async function refuse(
  drop: DropFacts,
  format: DropFormat | null,
  words: string,
  file: StagedFile,
): Promise<StageResult> {
  const { ledger, source } = file.context;
  // A sheet is settled by its own bytes alone: what corrections correct is told of by itself.
  const isWhole = drop.part === undefined;
  const prints = isWhole ? await printsOf(file, drop.identity.bytes, source, ledger.salt) : UNREAD;
  const dropId = await refuseDrop(ledger, { ...drop, format }, words, prints);
  failpoint('drop-refused');
  return { kind: 'refused', dropId, sentence: words };
}
