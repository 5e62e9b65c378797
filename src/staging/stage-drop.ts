import type { SourceConfig } from '../config/schema.js';
import { type DropFormat, type DropIdentity, sheetFileName } from '../domain/drop.js';
import { failpoint } from '../domain/failpoint.js';
import { type Issue, issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { fileStamp } from '../intake/file-stamp.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { dropDispositions } from '../ledger/books.js';
import { noteControl } from '../ledger/control-totals.js';
import {
  type DropFacts,
  discardRows,
  findDrop,
  publishDrop,
  recordArrival,
  refuseDrop,
  stagingDrop,
  withdrawDrop,
} from '../ledger/drops.js';
import { holdsLease } from '../ledger/leases.js';
import { inPages } from '../ledger/pages.js';
import { type Ledger, writing } from '../ledger/query.js';
import { isRedrop } from '../ledger/redrops.js';
import { noDispositions, settleDrop } from '../ledger/staging.js';
import { KNOWN_CALLS } from '../operations/platform-calls.js';
import { operationNamed } from '../operations/registry.js';
import { errorCode } from '../workspace/io-error.js';
import { openPlain } from '../workspace/plain-file.js';
import { planAddresses, settleAddresses } from './address-sheet.js';
import { checkDrop } from './check-drop.js';
import { compareRows, type Expectation, expectationOf, requireSameBytes } from './control-total.js';
import type { CorrectionFile, CorrectionSheet } from './correction-file.js';
import { pinFallback, requireKnownSettings } from './key-settings.js';
import { requireKnownMapping } from './known-mapping.js';
import { openDelivered } from './open-delivered.js';
import { type DropPlan, type Planned, planDrop, plansBySheet } from './plan-drop.js';
import { planInWorker } from './plan-in-worker.js';
import { planRedrop } from './plan-redrop.js';
import {
  addressRows,
  isWorthAThread,
  plannedRows,
  redropRows,
  type StageContext,
  stageRows,
} from './stage-rows.js';
import { identityToRefuse } from './too-large.js';

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
    const repeated = await repeatOf(drop, context);
    // A sheet may count by now that didn't when the file came in before, or its run was stopped before it.
    const mayGoOn = opened.workbook !== null && context.source.sheets !== undefined;
    if (repeated && !mayGoOn) return repeated;
    const expected = await expectationOf(context.control, context.source);
    if (!repeated) requireSameBytes(expected, drop.identity.sha256, fileName);
    const planned = await planToStage(path, opened, drop, context);
    if (repeated) {
      if ('kind' in planned) return repeated;
      const known = requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
      return 'header' in known ? goOn(repeated, opened, known, file) : repeated;
    }
    if ('kind' in planned) return stageCorrections(opened, planned.sheets, file);
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
      takeBack(file.context);
      return [{ kind: moved }];
    }
    if (!(error instanceof OperatorError) || error.exit !== 'attention') throw error;
    const drop = factsOf(await identityToRefuse(file.path, file.context.source), file);
    // Bytes that were taken in under other settings stay so.
    const repeated = await repeatOf(drop, file.context);
    if (repeated) return [repeated];
    const words = [error.message, error.hint].filter(Boolean).join(' ');
    return [refuse(drop, null, words, file.context)];
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
function takeBack({ ledger, lease, runId }: StageContext): void {
  const dropId = stagingDrop(ledger);
  if (dropId !== null && holdsLease(ledger, lease)) withdrawDrop(ledger, dropId, runId);
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
  const refused = (issues: readonly Issue[]) => [
    refuse(drop, opened.format, issues.map(issueText).join(' '), context),
  ];
  const plan = requireKnownMapping(context.ledger, context.source, planned, context.confirmedBy);
  if (!('header' in plan)) return refused(plan);
  pinFallback(context.ledger, context.source, opened);
  const counted = await countAhead(opened, plan, expected, context);
  if (counted?.refusal) return [refuse(drop, opened.format, counted.refusal, context)];
  let staged = await stageRows(plannedRows(path, opened, plan, context), drop, context);
  if (staged === 'undecided') {
    // The settings may be the same as before, although the rows are not.
    discardStaged(drop, context);
    const profiled = await planFor(path, opened, 'whole', context);
    if ('kind' in profiled) throw new Error('a file became one of corrections while it was staged');
    const whole = requireKnownMapping(context.ledger, context.source, profiled, context.confirmedBy);
    if (!('header' in whole)) return refused(whole);
    staged = await stageRows(plannedRows(path, opened, whole, context), drop, context);
  }
  const first = await publish(staged, drop, opened.format, context, (dropId) => {
    const control = expected === null ? null : checkControl(dropId, expected, counted, context);
    if (control === 'overtaken') return { kind: 'interrupted' };
    return control === null ? null : refuse(drop, opened.format, control.refusal, context);
  });
  return goOn(first, opened, plan, file);
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
    results.push(...(await unlessItsFault(sheet, () => stageFurther(opened, ofSheet, sheet))));
  }
  return results;
}

async function stageFurther(opened: OpenedDrop, plan: DropPlan, file: StagedFile): Promise<StageResult> {
  const { path, context } = file;
  const drop = factsOf(opened.identity, file);
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  const staged = await stageRows(plannedRows(path, opened, plan, context), drop, context);
  return publish(staged, drop, opened.format, context, () => null);
}

/**
 * How the control totals of a file come out whose sheets are several drops: what one of them has says nothing, and none
 * may count before. null for any other file.
 */
async function countAhead(
  opened: OpenedDrop,
  plan: DropPlan,
  expected: Expectation | null,
  { ledger, source, operation }: StageContext,
): Promise<ReturnType<typeof compareRows> | null> {
  if (expected === null || source.control === undefined || plan.further.length === 0) return null;
  const dispositions = noDispositions();
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
    for (const name of DISPOSITIONS) dispositions[name] += checked.dispositions[name];
  }
  return compareRows(expected, source.control, dispositions);
}

function discardStaged(drop: DropFacts, { ledger }: StageContext): void {
  const known = findDrop(ledger, drop);
  if (known?.state === 'staging') discardRows(ledger, known.dropId);
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
    results.push(...(await unlessItsFault(ofSheet, () => stageSheet(opened, sheet, ofSheet))));
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
  if (!('kind' in plan)) {
    const words = plan.map(issueText).join(' ');
    return refuse(factsOf(opened.identity, file), opened.format, words, file.context);
  }
  const { source } = plan;
  const context = { ...file.context, source, operation: operationNamed(source.operation) };
  const drop = factsOf(opened.identity, { ...file, context });
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  // Those of the inbox's own source are known by now.
  if (source.name !== file.context.source.name) requireItsSettings(ledger, source);
  // Nobody has counted the rows of a corrected file.
  return publish(
    await stageRows(redropRows(opened, plan, context), drop, context),
    drop,
    opened.format,
    context,
    () => null,
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
  if (!('kind' in plan)) throw new Error('there is a ledger');
  const staged = await stageRows(addressRows(opened, plan), drop, context);
  return publish(staged, drop, opened.format, context, () => null);
}

/** Changed settings of another source than the inbox's are the sheet's trouble, not the inbox's. */
function requireItsSettings(ledger: Ledger, source: SourceConfig): void {
  try {
    requireKnownSettings(ledger, source, null);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { operation, subject, message, hint } = error;
    throw new OperatorError({ operation, subject, message, hint, exit: 'attention', cause: error });
  }
}

/** @param refusalOf what came of the control totals where the drop must not count; null: it may. */
async function publish(
  staged: Awaited<ReturnType<typeof stageRows>>,
  drop: DropFacts,
  format: DropFormat,
  context: StageContext,
  refusalOf: (dropId: number) => StageResult | null,
): Promise<StageResult> {
  if (staged === 'undecided') throw new Error('a row is undecided under a profile of the whole drop');
  if (staged === 'interrupted') return { kind: 'interrupted' };
  if ('code' in staged) return refuse(drop, format, issueText(staged), context);
  const refused = refusalOf(staged.dropId);
  if (refused) return refused;
  if (!publishDrop(context.ledger, context.lease, staged.dropId, staged)) return { kind: 'interrupted' };
  failpoint('drop-published');
  return settlePublished(staged.dropId, drop, context);
}

/**
 * Notes how the drop's control totals came out, `counted` where that is known before, unless another process has taken over: then its rows are that one's.
 * @returns why it is refused; null when it isn't.
 */
function checkControl(
  dropId: number,
  expected: Expectation,
  counted: ReturnType<typeof compareRows> | null,
  { ledger, lease, source: { control } }: StageContext,
): { readonly refusal: string } | 'overtaken' | null {
  if (control === undefined) return null;
  return writing(ledger, () => {
    if (!holdsLease(ledger, lease)) return 'overtaken';
    const { finding, refusal } = counted ?? compareRows(expected, control, dropDispositions(ledger, dropId));
    noteControl(ledger, dropId, finding);
    return refusal === null ? null : { refusal };
  });
}

async function settlePublished(
  dropId: number,
  { fileName }: DropFacts,
  { ledger, runId, who, because, mapLearner, closeCorrected }: StageContext,
): Promise<StageResult> {
  const reason = because ?? fileName;
  // Before anything else makes room for it: a corrected row takes the place of its original by whoever corrected it.
  if (isRedrop(ledger, dropId)) await closeCorrected({ dropId, runId }, who, reason);
  await inPages(ledger, settleDrop(ledger, dropId, runId));
  await settleAddresses(ledger, dropId, mapLearner, { who, because: reason });
  failpoint('drop-settled');
  return { kind: 'published', dropId, dispositions: dropDispositions(ledger, dropId) };
}

/** A drop that was left half staged is planned as it was then, if it still can be. */
async function planToStage(
  path: string,
  opened: OpenedDrop,
  drop: DropFacts,
  context: StageContext,
): Promise<Planned | CorrectionFile> {
  const plan = await planFor(path, opened, 'sample', context);
  const known = findDrop(context.ledger, drop);
  if (!('header' in plan) || known?.state !== 'staging' || known.settings === plan.settings) return plan;
  return planFor(path, opened, 'whole', context);
}

function planFor(
  path: string,
  opened: OpenedDrop,
  profiled: 'sample' | 'whole',
  context: StageContext,
): Promise<Planned | CorrectionFile> {
  const { source, operation } = context;
  if (opened.workbook === null || !isWorthAThread(opened, context)) {
    return planDrop(opened, operation, source, profiled);
  }
  return planInWorker({ path, seen: opened.seen, source, profiled });
}

/**
 * Notes that bytes which count already came in again; null when they don't. A file that its run published and no more is
 * no repeat: what was left to do is done.
 */
async function repeatOf(drop: DropFacts, context: StageContext): Promise<StageResult | null> {
  const known = findDrop(context.ledger, drop);
  if (known?.state !== 'published') return null;
  if (!recordArrival(context.ledger, known.dropId, drop)) {
    return settlePublished(known.dropId, drop, context);
  }
  failpoint('arrival-noted');
  return { kind: 'repeated', dropId: known.dropId };
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

function refuse(
  drop: DropFacts,
  format: DropFormat | null,
  words: string,
  { ledger }: StageContext,
): StageResult {
  const dropId = refuseDrop(ledger, { ...drop, format }, words);
  failpoint('drop-refused');
  return { kind: 'refused', dropId, sentence: words };
}
