import type { DropFormat, DropIdentity } from '../domain/drop.js';
import { failpoint } from '../domain/failpoint.js';
import { type Issue, issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Disposition } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { surveyBytes } from '../intake/survey-bytes.js';
import { dropDispositions } from '../ledger/books.js';
import { noteControl } from '../ledger/control-totals.js';
import { type DropFacts, findDrop, publishDrop, recordArrival, refuseDrop } from '../ledger/drops.js';
import { holdsLease } from '../ledger/leases.js';
import { writing } from '../ledger/query.js';
import { isRedrop, settleRedrop } from '../ledger/redrops.js';
import type { AttentionSheet } from './attention-sheet.js';
import { compareRows, type Expectation, expectationOf, requireSameBytes } from './control-total.js';
import { requireKnownMapping } from './known-mapping.js';
import { openDelivered } from './open-delivered.js';
import { type Planned, planDrop } from './plan-drop.js';
import { planInWorker } from './plan-in-worker.js';
import { planRedrop } from './plan-redrop.js';
import { settle, steps } from './settle.js';
import { isWorthAThread, plannedRows, redropRows, type StageContext, stageRows } from './stage-rows.js';

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

/**
 * Takes one file, already claimed into processing/, into the ledger: all of it or nothing. What a crash left half
 * staged is gone on with after its last line.
 */
export async function stageDrop(path: string, fileName: string, context: StageContext): Promise<StageResult> {
  try {
    const opened = await openDelivered(path, context.source);
    return await stageOpened(path, opened, fileName, context);
  } catch (error) {
    // A file's fault is its own: it is set aside with its sentence, and the others go on.
    if (!(error instanceof OperatorError) || error.exit !== 'attention') throw error;
    const { identity } = await surveyBytes(path);
    // Bytes that were taken in under other settings stay so.
    const repeated = await repeatOf(identity.sha256, fileName, context);
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
  const { ledger, source } = context;
  const repeated = await repeatOf(opened.identity.sha256, fileName, context);
  if (repeated) return repeated;
  const drop = factsOf(opened.identity, fileName, context);
  const expected = await expectationOf(context.control, source);
  requireSameBytes(expected, drop.identity.sha256, fileName);
  const planned = await planToStage(path, opened, drop, context);
  const refused = (issues: readonly Issue[]) =>
    refuse(context, drop, opened.format, issues.map(issueText).join(' '));
  if ('kind' in planned) {
    const redrop = await planRedrop(opened, planned, ledger, source);
    if (!('kind' in redrop)) return refused(redrop);
    // Nobody has counted the rows of a corrected file.
    const rows = redropRows(opened, redrop, context);
    return publish(await stageRows(rows, drop, context), fileName, context, () => null);
  }
  const plan = requireKnownMapping(ledger, source, planned, context.confirmedBy);
  if (!('header' in plan)) return refused(plan);
  let staged = await stageRows(plannedRows(path, opened, plan, context), drop, context);
  if (staged === 'undecided') {
    const whole = await planFor(path, opened, 'whole', context);
    if ('kind' in whole) throw new Error('a file became an attention file while it was staged');
    if (!('header' in whole)) return refused(whole);
    staged = await stageRows(plannedRows(path, opened, whole, context), drop, context);
  }
  return publish(staged, fileName, context, (dropId) => {
    const control = expected === null ? null : checkControl(dropId, expected, context);
    if (control === 'overtaken') return { kind: 'interrupted' };
    return control === null ? null : refuse(context, drop, opened.format, control.refusal);
  });
}

/** @param refusalOf what came of the control totals where the drop must not count; null: it may. */
async function publish(
  staged: Awaited<ReturnType<typeof stageRows>>,
  fileName: string,
  context: StageContext,
  refusalOf: (dropId: number) => StageResult | null,
): Promise<StageResult> {
  if (staged === 'undecided') throw new Error('a row is undecided under a profile of the whole drop');
  if (staged === 'interrupted') return { kind: 'interrupted' };
  const refused = refusalOf(staged.dropId);
  if (refused) return refused;
  if (!publishDrop(context.ledger, context.lease, staged.dropId, staged.rowsRead))
    return { kind: 'interrupted' };
  failpoint('drop-published');
  return settlePublished(staged.dropId, fileName, context);
}

/**
 * Notes how the drop's control totals came out, unless another process has taken over: then its rows are that one's.
 * @returns why it is refused; null when it isn't.
 */
function checkControl(
  dropId: number,
  expected: Expectation,
  { ledger, lease, source: { control } }: StageContext,
): { readonly refusal: string } | 'overtaken' | null {
  if (control === undefined) return null;
  return writing(ledger, () => {
    if (!holdsLease(ledger, lease)) return 'overtaken';
    const { finding, refusal } = compareRows(expected, control, dropDispositions(ledger, dropId));
    noteControl(ledger, dropId, finding);
    return refusal === null ? null : { refusal };
  });
}

async function settlePublished(
  dropId: number,
  fileName: string,
  { ledger, runId, who }: StageContext,
): Promise<StageResult> {
  await settle(ledger, dropId, runId);
  if (isRedrop(ledger, dropId)) await steps(settleRedrop(ledger, dropId, { who, because: fileName }, runId));
  failpoint('drop-settled');
  return { kind: 'published', dropId, dispositions: dropDispositions(ledger, dropId) };
}

/** A drop that was left half staged is planned as it was then, if it still can be. */
async function planToStage(
  path: string,
  opened: OpenedDrop,
  { source, identity }: DropFacts,
  context: StageContext,
): Promise<Planned | AttentionSheet> {
  const plan = await planFor(path, opened, 'sample', context);
  const known = findDrop(context.ledger, source, identity.sha256);
  if (!('header' in plan) || known?.state !== 'staging' || known.settings === plan.settings) return plan;
  return planFor(path, opened, 'whole', context);
}

function planFor(
  path: string,
  opened: OpenedDrop,
  profiled: 'sample' | 'whole',
  context: StageContext,
): Promise<Planned | AttentionSheet> {
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
async function repeatOf(
  sha256: string,
  fileName: string,
  context: StageContext,
): Promise<StageResult | null> {
  const { ledger, source, runId, isLeft } = context;
  const known = findDrop(ledger, source.name, sha256);
  if (known?.state !== 'published') return null;
  if (!recordArrival(ledger, known.dropId, { fileName, runId, isLeft })) {
    return settlePublished(known.dropId, fileName, context);
  }
  failpoint('arrival-noted');
  return { kind: 'repeated', dropId: known.dropId };
}

function factsOf(identity: DropIdentity, fileName: string, context: StageContext): DropFacts {
  const { source, operation, runId, isLeft } = context;
  const { sha256, bytes } = identity;
  return {
    source: source.name,
    identity: { sha256, bytes },
    fileName,
    operation: operation.name,
    environment: source.environment,
    runId,
    isLeft,
  };
}

function refuse(
  context: StageContext,
  drop: DropFacts,
  format: DropFormat | null,
  words: string,
): StageResult {
  const dropId = refuseDrop(context.ledger, { ...drop, format }, words);
  failpoint('drop-refused');
  return { kind: 'refused', dropId, sentence: words };
}
