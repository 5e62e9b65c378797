import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import { failpoint } from '../domain/failpoint.js';
import { OperatorError } from '../domain/operator-error.js';
import { surveyBytes } from '../intake/survey-bytes.js';
import { abandonDrop, unfinishedDrop } from '../ledger/drops.js';
import { holdsLease, isLease, type Lease, takeLease, underLease } from '../ledger/leases.js';
import type { Owner } from '../ledger/owner.js';
import type { Ledger } from '../ledger/query.js';
import { operationNamed } from '../operations/registry.js';
import { type ClaimedDrop, claimDrop, listClaimed, listProcessing } from '../workspace/claim-drop.js';
import { archiveWithControl, rejectWithControl, returnControls } from '../workspace/control-files.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { listInbox } from '../workspace/list-inbox.js';
import { pairControls } from '../workspace/pair-controls.js';
import { waitUntilStable } from '../workspace/wait-until-stable.js';
import type { MapLearner } from './address-sheet.js';
import { requireKnownSettings } from './key-settings.js';
import { type StageResult, stageDrop } from './stage-drop.js';
import type { StageListener } from './stage-event.js';

/** What taking files in needs. */
export interface IntakeContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly runId: number;
  readonly paths: WorkspacePaths;
  /** Whose inboxes are looked at. */
  readonly sources: readonly SourceConfig[];
  /** All there are: a crash may have left a drop of any of them half staged. */
  readonly allSources: readonly SourceConfig[];
  /** Who confirmed that a source's settings or its files' headers have changed, by source. */
  readonly confirmed: ReadonlyMap<string, string>;
  /** Who takes the files in, for the record of what a corrected one decides. */
  readonly who: string;
  /** Carries out the right addresses of learners that a workbook brings; the stage lease is held. */
  readonly mapLearner: MapLearner;
  /** True: large drops are read on a worker thread beside the writer. */
  readonly beside: boolean;
  /** Aborted when no more may be staged; what is half staged is resumed by the next run. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/** How often a process that waits for another one's staging looks again. */
const QUEUE_POLL_MS = 200;

/**
 * Takes in every file that is ready, source by source: what an earlier process left in processing/ first, then the
 * inboxes. One process stages at a time; another waits for its turn.
 * @returns inboxes that couldn't be read, which stop no other.
 */
export async function takeIn(context: IntakeContext): Promise<readonly OperatorError[]> {
  const lease = await waitForTurn(context);
  if (!lease) return [];
  failpoint('stage-lease-taken');
  return underLease(context.ledger, lease, (over) =>
    takeAll({ ...context, stop: AbortSignal.any([context.stop, over.signal]) }, lease),
  );
}

async function waitForTurn(context: IntakeContext): Promise<Lease | null> {
  let told = false;
  while (!context.stop.aborted) {
    const taken = takeLease(context.ledger, 'stage', context.owner, context.runId);
    if (isLease(taken)) return taken;
    if (!told) context.listen({ kind: 'queued', pid: taken.pid });
    told = true;
    await context.clock.sleep(QUEUE_POLL_MS, context.stop);
  }
  return null;
}

async function takeAll(context: IntakeContext, lease: Lease): Promise<readonly OperatorError[]> {
  const troubles: OperatorError[] = [];
  if (!(await finishInterrupted(context, lease))) return troubles;
  for (const source of context.sources) {
    try {
      requireKnownSettings(context.ledger, source, context.confirmed.get(source.name) ?? null);
      if (!(await takeSource(source, context, lease))) return troubles;
    } catch (error) {
      // A source that can't be taken in (an unmounted inbox, changed settings) says nothing about the others; a full
      // disk does.
      if (!isOfSource(error, source, context.paths)) throw error;
      troubles.push(error);
    }
  }
  return [...troubles, ...(await orphans(context))];
}

/** Files in processing/ of sources that registrar.yaml doesn't have any more: nobody would ever take them in. */
async function orphans({ paths, allSources }: IntakeContext): Promise<OperatorError[]> {
  const folders = await listProcessing(paths);
  return folders
    .filter(({ source }) => !allSources.some(({ name }) => name === source))
    .map(
      ({ source, path, files }) =>
        new OperatorError({
          operation: 'go on with claimed files',
          subject: source,
          message: `${path} holds ${files} ${files === 1 ? 'file' : 'files'} of source ${source}, which registrar.yaml doesn't have any more`,
          hint: 'Put the source back, or move the files into the inbox of another one.',
          exit: 'attention',
        }),
    );
}

/** Changed settings, or an inbox that this user or a file system doesn't let be read and emptied. */
function isOfSource(error: unknown, source: SourceConfig, paths: WorkspacePaths): error is OperatorError {
  if (!(error instanceof OperatorError)) return false;
  if (error.subject === source.name) return true;
  const code = (error.cause as { code?: string } | undefined)?.code ?? '';
  const isRight = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code);
  return isRight && error.subject.startsWith(paths.inbox(source));
}

/** What an earlier process claimed and didn't put away, then the inbox. @returns false when it was interrupted. */
async function takeSource(source: SourceConfig, context: IntakeContext, lease: Lease): Promise<boolean> {
  await returnControls(source, context.paths);
  for (const drop of await listClaimed(source, context.paths)) {
    if (!(await takeDrop(drop, true, source, context, lease))) return false;
  }
  return takeInbox(source, context, lease);
}

/**
 * A drop that a crash left half staged goes first, since only one can be staged at a time; where its file or source is
 * not there any more, its rows, which nobody ever saw, are thrown away.
 * @returns false when it was interrupted again.
 */
async function finishInterrupted(context: IntakeContext, lease: Lease): Promise<boolean> {
  const unfinished = unfinishedDrop(context.ledger);
  if (!unfinished) return true;
  const source = context.allSources.find(({ name }) => name === unfinished.source);
  // Corrections are of other sources than that of their inbox.
  for (const inboxOf of source ? context.allSources : []) {
    for (const drop of await listClaimed(inboxOf, context.paths)) {
      const { identity } = await surveyBytes(drop.path);
      if (!source || identity.sha256 !== unfinished.sha256) continue;
      if (hasKnownSettings(source, context)) return takeDrop(drop, true, inboxOf, context, lease);
    }
  }
  abandonDrop(
    context.ledger,
    unfinished.dropId,
    context.runId,
    'It was left half staged, and its file or its settings are no longer the same.',
  );
  return true;
}

/** A drop that was begun under other settings is begun anew once they are confirmed; `takeAll` asks for that. */
function hasKnownSettings(source: SourceConfig, context: IntakeContext): boolean {
  try {
    requireKnownSettings(context.ledger, source, context.confirmed.get(source.name) ?? null);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** @returns false when it was interrupted. */
async function takeInbox(source: SourceConfig, context: IntakeContext, lease: Lease): Promise<boolean> {
  const { paths, clock, stop, listen } = context;
  const listing = await listInbox(source, paths);
  const { stable, left } = await waitUntilStable(listing.take, source.stableFor, clock, stop);
  const { ready, waiting } = pairControls(stable, source.control, clock.nowMs());
  // What no source takes at all is looked for when all have been through.
  for (const { name, reason, needsAttention } of [...left, ...waiting]) {
    if (needsAttention) listen({ kind: 'left', source: source.name, file: name, reason });
  }
  for (const { file, control } of ready) {
    if (stop.aborted) return false;
    const claimed = await claimDrop(file, paths, control);
    if (claimed && !(await takeDrop(claimed, false, source, context, lease))) return false;
  }
  return !stop.aborted;
}

/** @param isLeft an earlier run claimed it. @returns false when it was interrupted: the next run goes on with it. */
async function takeDrop(
  drop: ClaimedDrop,
  isLeft: boolean,
  source: SourceConfig,
  context: IntakeContext,
  lease: Lease,
): Promise<boolean> {
  const { ledger, runId, stop, listen } = context;
  if (stop.aborted) return false;
  const operation = operationNamed(source.operation);
  listen({ kind: 'drop', source: source.name, file: drop.name, path: drop.path });
  const results = await unlessTakenOver(ledger, lease, () =>
    stageDrop(drop.path, drop.name, {
      ledger,
      lease,
      beside: context.beside,
      runId,
      isLeft,
      control: drop.control,
      source,
      operation,
      sources: context.allSources,
      confirmedBy: context.confirmed.get(source.name) ?? null,
      who: context.who,
      mapLearner: context.mapLearner,
      stop,
      listen,
    }),
  );
  await shelve(drop, results, context);
  for (const result of results) tell(drop, source, result, listen);
  return !isInterrupted(results);
}

/**
 * A process that was stopped for so long that another one took its lease has lost its claimed files with it: that they
 * are gone is no fault.
 */
async function unlessTakenOver(
  ledger: Ledger,
  lease: Lease,
  stage: () => Promise<readonly StageResult[]>,
): Promise<readonly StageResult[]> {
  try {
    return await stage();
  } catch (error) {
    if (!(error instanceof OperatorError) || holdsLease(ledger, lease)) throw error;
    return [{ kind: 'interrupted' }];
  }
}

/**
 * The file goes where its results say; one that was interrupted stays in processing/ for the next run. A workbook of
 * which a sheet was refused is set aside, where a person looks for it: it is put right and dropped again as a whole, and
 * what the other sheets brought stays as it is.
 */
async function shelve(
  drop: ClaimedDrop,
  results: readonly StageResult[],
  context: IntakeContext,
): Promise<void> {
  if (isInterrupted(results)) return;
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const [taken] = results.flatMap((result) => ('dropId' in result ? [result.dropId] : []));
  if (refusals.length > 0) await rejectWithControl(drop, context.paths, refusals.join('\n'));
  else if (taken !== undefined) await archiveWithControl(drop, context.paths, taken);
  failpoint('drop-put-away');
}

function isInterrupted(results: readonly StageResult[]): boolean {
  return results.some(({ kind }) => kind === 'interrupted');
}

function tell(drop: ClaimedDrop, source: SourceConfig, result: StageResult, listen: StageListener): void {
  const about = { source: source.name, file: drop.name };
  if (result.kind === 'published') listen({ ...about, ...result });
  if (result.kind === 'repeated') listen({ ...about, ...result });
  if (result.kind === 'refused') listen({ ...about, kind: 'refused', sentence: result.sentence });
}
