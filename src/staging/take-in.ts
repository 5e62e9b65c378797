import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { readState, type WorkUnderWay } from '../ledger/books/state/read-state.js';
import { arrivedFiles } from '../ledger/drops/arrived-files.js';
import { withdrawDrop } from '../ledger/drops/discard-rows.js';
import { noteInbox } from '../ledger/drops/note-inbox.js';
import { type KeptLeases, withLeases } from '../ledger/leases/leases.js';
import { operationNamed } from '../operations/registry.js';
import { sha256IfReadable } from '../workspace/files/copy-verified.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { fileSystemOf } from '../workspace/inbox/file-system.js';
import { listInbox } from '../workspace/inbox/list-inbox.js';
import { waitUntilStable } from '../workspace/inbox/wait-until-stable.js';
import { type ClaimedDrop, claimDrop, listClaimed } from '../workspace/taken/claim-drop.js';
import { archiveDrop, correctionNumber, rejectDrop } from '../workspace/taken/shelve-drop.js';
import type { StageResult } from './conclude-drop.js';
import { type Intake, type IntakeContext, leave, type TakenIn } from './intake-context.js';
import { requireKnownSettings } from './key-settings.js';
import type { StageListener } from './stage-context.js';
import {
  changedWhileRead,
  changeSinceRead,
  claimChanged,
  lostAfter,
  reportForeign,
} from './workspace-changed.js';

/** How often a process looks again while it waits for another process to end staging. */
const QUEUE_POLL_MS = 200;

/**
 * Takes in every file that is ready, source by source: first the files that an earlier process left in processing/, then
 * the inbox. One process stages at a time; others wait for their turn.
 */
export async function takeIn(context: IntakeContext): Promise<TakenIn> {
  const { ledger, owner, runId, clock, listen } = context;
  for (let isQueued = false; !context.stop.aborted; isQueued = true) {
    const taken = await withLeases(ledger, ['stage'], owner, runId, async (kept) => withLease(context, kept));
    if ('done' in taken) return taken.done;
    if (!isQueued) listen({ kind: 'queued', pid: taken.holder.pid });
    await clock.sleep(QUEUE_POLL_MS, context.stop);
  }
  return { troubles: [], untaken: [] };
}

async function withLease(
  context: IntakeContext,
  { leases: [lease], lost, areHeld }: KeptLeases<readonly ['stage']>,
): Promise<TakenIn> {
  failpoint('stage-lease-taken');
  const stop = AbortSignal.any([context.stop, lost]);
  const intake: Intake = {
    ...context,
    stop,
    lease,
    isHeld: areHeld,
    troubles: [],
    untaken: [],
  };
  await takeAll(intake);
  return intake;
}

async function takeAll(intake: Intake): Promise<void> {
  const { ledger, paths, confirmed, troubles } = intake;
  const { staging } = (await readState(ledger, ['work'])).work;
  for (const unfinished of staging) {
    if (!(await finishInterrupted(unfinished, intake))) return;
  }
  const taken = await arrivedFiles(ledger);
  for (const source of intake.sources) {
    try {
      await requireKnownSettings(ledger, source, confirmed.get(source.name) ?? null);
      await claimChanged(source.name, taken, intake);
      if (!(await takeSource(source, intake))) return;
    } catch (error) {
      // A source that can't be taken in (an unmounted inbox, changed settings) doesn't stop the others; a full disk does.
      if (!isOfSource(error, source, paths)) throw error;
      troubles.push(error);
    }
  }
  await reportForeign(intake);
}

/**
 * True for a trouble of one source: changed settings, or an inbox that its rights or its file system keep from being read
 * and emptied.
 */
function isOfSource(error: unknown, source: SourceConfig, paths: WorkspacePaths): error is OperatorError {
  if (!(error instanceof OperatorError)) return false;
  if (error.subject === source.name) return true;
  const code = (error.cause as { code?: string } | undefined)?.code ?? '';
  const isRight = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code);
  return isRight && error.subject.startsWith(paths.inbox(source));
}

/**
 * Takes in the files that an earlier process claimed and didn't put away, then the inbox. @returns false when it was
 * interrupted.
 */
async function takeSource(source: SourceConfig, intake: Intake): Promise<boolean> {
  for (const drop of await listClaimed(source, intake.paths)) {
    if (!(await takeDrop(drop, true, source, intake))) return false;
  }
  return takeInbox(source, intake);
}

/**
 * Resumes the drop that a crash left half staged before any other: rows of another drop may repeat its rows, and would be
 * duplicates of rows that may never count. Where its file or source is gone, its rows, which nobody ever saw, are thrown away.
 * @returns false when it was interrupted again.
 */
async function finishInterrupted(
  unfinished: WorkUnderWay['staging'][number],
  context: Intake,
): Promise<boolean> {
  const source = context.allSources.find(({ name }) => name === unfinished.source);
  for (const drop of source === undefined ? [] : await listClaimed(source, context.paths)) {
    if (!source || (await sha256IfReadable(drop.path)) !== unfinished.sha256) continue;
    if (await hasKnownSettings(source, context)) return takeDrop(drop, true, source, context);
  }
  await withdrawDrop(
    context.ledger,
    context.lease,
    unfinished.dropId,
    context.runId,
    'It was left half staged, and its file or its settings are no longer the same.',
  );
  return true;
}

/**
 * False where the source's settings have changed and nobody has confirmed that. Such a drop is begun anew once they are
 * confirmed, which `takeAll` requires.
 */
async function hasKnownSettings(source: SourceConfig, context: IntakeContext): Promise<boolean> {
  try {
    await requireKnownSettings(context.ledger, source, context.confirmed.get(source.name) ?? null);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** @returns false when it was interrupted. */
async function takeInbox(source: SourceConfig, intake: Intake): Promise<boolean> {
  const { paths, clock, stop } = intake;
  // What no source takes is looked for after all sources.
  const stable = await waitUntilStable(await listInbox(source, paths), source.stableForMs, clock, stop);
  if (stable.length > 0) await noteFileSystem(source, intake);
  for (const file of stable) {
    if (stop.aborted) return false;
    const claimed = await claimDrop(file, paths);
    if (claimed === null) continue;
    if ('reason' in claimed) leave(claimed, source.name, intake);
    else if (!(await takeDrop(claimed, false, source, intake))) return false;
  }
  return !stop.aborted;
}

/** Health goes by it: a share that isn't mounted leaves an empty folder. */
async function noteFileSystem(source: SourceConfig, { ledger, paths }: Intake): Promise<void> {
  const fileSystem = await fileSystemOf(paths.inbox(source));
  if (fileSystem !== null) await noteInbox(ledger, source.name, { kind: 'file-system', fileSystem });
}

/** @param isLeft an earlier run claimed it. @returns false when it was interrupted: the next run resumes it. */
async function takeDrop(
  drop: ClaimedDrop,
  isLeft: boolean,
  source: SourceConfig,
  intake: Intake,
): Promise<boolean> {
  const { ledger, lease, runId, stop, listen } = intake;
  if (stop.aborted) return false;
  const operation = operationNamed(source.operation);
  listen({ kind: 'drop', source: source.name, file: drop.name, path: drop.path });
  // Most runs find no file, and loading the code that reads one takes a tenth of a second.
  const { stageDrop } = await import('./stage-drop.js');
  const results = await unlessTakenOver(intake, () =>
    stageDrop(drop.path, drop.name, {
      ledger,
      lease,
      beside: intake.beside,
      runId,
      isLeft,
      source,
      operation,
      sources: intake.allSources,
      confirmedBy: intake.confirmed.get(source.name) ?? null,
      who: { name: intake.who.name, door: 'inbox' },
      correct: intake.correct,
      stop,
      listen,
    }),
  );
  for (const result of results) reportResult(drop, source, result, listen);
  if (results.some(({ kind }) => kind === 'interrupted')) return false;
  const counted = results.some(({ kind }) => kind !== 'refused' && kind !== 'changed') ? 'some' : 'none';
  if (results.some(({ kind }) => kind === 'changed'))
    leave(changedWhileRead(drop.path, counted), source.name, intake);
  else await shelve(drop, results, intake);
  return true;
}

/**
 * Runs `stage`. Where another process has taken over the lease, a missing file is an interruption and no fault: the claimed
 * files went with the lease.
 */
async function unlessTakenOver(
  { isHeld }: Pick<Intake, 'isHeld'>,
  stage: () => Promise<readonly StageResult[]>,
): Promise<readonly StageResult[]> {
  try {
    const results = await stage();
    const isLost = results.some(({ kind }) => kind === 'changed');
    return isLost && !(await isHeld()) ? [{ kind: 'interrupted' }] : results;
  } catch (error) {
    if (!(error instanceof OperatorError) || (await isHeld())) throw error;
    return [{ kind: 'interrupted' }];
  }
}

/**
 * Puts the file away by its results. A workbook with a refused sheet is set aside, where a person looks for it: the
 * workbook is corrected and dropped again as a whole, and the rows of its other sheets stay as they are.
 */
async function shelve(drop: ClaimedDrop, results: readonly StageResult[], intake: Intake): Promise<void> {
  const { paths } = intake;
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const [taken] = results.flatMap(archiveNumber);
  if (taken === undefined) return;
  const isRefused = refusals.length > 0;
  const change = isRefused ? null : await changeSince(drop, results, intake);
  const putAway = () =>
    isRefused ? rejectDrop(drop, paths, refusals.join('\n')) : archiveDrop(drop, paths, taken);
  const isLost = change !== null || (await putAway()) === null;
  // Claimed files go with the lease: another process may have put this one away.
  if (isLost && (await intake.isHeld())) {
    const lost = isRefused ? changedWhileRead(drop.path, 'none') : lostAfter(drop.path);
    leave(change ?? lost, drop.source, intake);
  }
  failpoint('drop-put-away');
}

async function changeSince(drop: ClaimedDrop, results: readonly StageResult[], intake: Intake) {
  for (const result of results) {
    if (result.kind === 'corrected' || 'dropId' in result) return changeSinceRead(drop, result, intake);
  }
  return null;
}

/** The number under which a file is archived: that of its drop, or of the decision that its corrections became. */
function archiveNumber(result: StageResult): readonly (number | string)[] {
  if (result.kind === 'corrected') return [correctionNumber(result.decisionId)];
  return 'dropId' in result ? [result.dropId] : [];
}

function reportResult(
  drop: ClaimedDrop,
  source: SourceConfig,
  result: StageResult,
  listen: StageListener,
): void {
  const about = { source: source.name, file: drop.name };
  if (result.kind === 'published' || result.kind === 'repeated') listen({ ...about, ...result });
  if (result.kind === 'corrected') listen({ ...about, ...result });
  if (result.kind === 'refused') listen({ ...about, kind: 'refused', sentence: result.sentence });
}
