import { join } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { once } from '../domain/process/once.js';
import type { ImportProblems } from '../inbox/fetch-files.js';
import { fileStamp } from '../intake/read-bytes.js';
import { readState, type WorkUnderWay } from '../ledger/books/state/read-state.js';
import { arrivedFiles } from '../ledger/drops/arrived-files.js';
import { withdrawDrop } from '../ledger/drops/discard-rows.js';
import { containersOf, recordInbox } from '../ledger/drops/record-inbox.js';
import { type HeldLeases, holdsLease, withLeases } from '../ledger/leases/leases.js';
import { readFilesOf, removeReadFiles } from '../ledger/submissions/staging/read-rows.js';
import {
  type ClaimedDrop,
  claimDrop,
  listClaimed,
  type NotClaimed,
} from '../workspace/claimed/claim-drop.js';
import { archiveDrop, correctionNumber, rejectDrop } from '../workspace/claimed/move-claimed.js';
import { sha256IfReadable } from '../workspace/files/copy-verified.js';
import { syncFolder } from '../workspace/files/durable.js';
import { exists } from '../workspace/files/entries.js';
import { asIoError } from '../workspace/files/io-error.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { fileSystemOf, listInbox, waitUntilStable } from '../workspace/inbox/list-inbox.js';
import { requireKnownSettings, settingsInQuestion } from './key-settings.js';
import type { Intake, IntakeContext, StageResult } from './stage-context.js';
import {
  changeSinceRead,
  claimChanged,
  reportForeign,
  reportLeft,
  workspaceChanged,
} from './workspace-changed.js';

/** How often a process checks whether another process still stages. */
const QUEUE_POLL_MS = 200;

/**
 * Imports every file that is ready, source by source: first the files that an earlier process left in processing/, then
 * the inbox. One process stages at a time; the others wait.
 */
export async function importFiles(context: IntakeContext): Promise<ImportProblems> {
  const { ledger, owner, runId, clock, listen } = context;
  for (let isQueued = false; !context.stop.aborted; isQueued = true) {
    const imported = await withLeases(ledger, ['stage'], owner, runId, async (held) =>
      importAll(context, held),
    );
    if ('done' in imported) return imported.done;
    if (!isQueued) listen({ kind: 'queued', pid: imported.holder.pid });
    await clock.sleep(QUEUE_POLL_MS, context.stop);
  }
  return { troubles: [], unmatched: [] };
}

async function importAll(
  context: IntakeContext,
  { leases: [lease], lost }: HeldLeases<readonly ['stage']>,
): Promise<ImportProblems> {
  failpoint('stage-lease-taken');
  const stop = AbortSignal.any([context.stop, lost]);
  const isHeld = () => holdsLease(context.ledger, lease);
  const intake: Intake = { ...context, stop, lease, isHeld, troubles: [], unmatched: [] };
  const { ledger, paths, confirmed, troubles } = intake;
  // A killed process has left them.
  removeReadFiles(readFilesOf(ledger.beside));
  const { staging } = (await readState(ledger, ['work'])).work;
  for (const unfinished of staging) {
    if (!(await finishInterrupted(unfinished, intake))) return intake;
  }
  const arrived = await arrivedFiles(ledger);
  for (const source of intake.sources) {
    try {
      await requireKnownSettings(ledger, source, confirmed.get(source.name) ?? null);
      await claimChanged(source.name, arrived, intake);
      if (!(await importSource(source, intake))) return intake;
    } catch (error) {
      // A source that can't be imported (an unmounted inbox, changed settings) doesn't stop the others; a full disk does.
      if (!isOfSource(error, source, paths)) throw error;
      troubles.push(error);
    }
  }
  await reportForeign(intake);
  return intake;
}

/**
 * True for an error of a single source: changed settings, or an inbox that can't be read or emptied because of its
 * permissions or its file system.
 */
function isOfSource(error: unknown, source: SourceConfig, paths: WorkspacePaths): error is OperatorError {
  if (!(error instanceof OperatorError)) return false;
  if (error.subject === source.name) return true;
  const code = (error.cause as { code?: string } | undefined)?.code ?? '';
  const isRight = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code);
  return isRight && error.subject.startsWith(paths.inbox(source));
}

/** Imports the files that an earlier process left in processing/, then the inbox. @returns false: interrupted. */
async function importSource(source: SourceConfig, intake: Intake): Promise<boolean> {
  const { ledger, paths, clock, stop } = intake;
  for (const drop of await listClaimed(source, paths)) {
    if (!(await importDrop(drop, true, source, intake))) return false;
  }
  // Unmatched files are reported after all sources are imported.
  const stable = await waitUntilStable(await listInbox(source, paths), source.stableForMs, clock, stop);
  if (stable.length === 0) return !stop.aborted;
  // For the health check: where a share isn't mounted, there is an empty folder on another file system.
  const fileSystem = await fileSystemOf(paths.inbox(source));
  if (fileSystem !== null) await recordInbox(ledger, source.name, { kind: 'file-system', fileSystem });
  for (const file of stable) {
    if (stop.aborted) return false;
    const claimed = await claimDrop(file, paths);
    if (claimed === null) continue;
    if ('reason' in claimed) reportLeft(claimed, source.name, intake);
    else if (!(await importDrop(claimed, false, source, intake))) return false;
  }
  // Once for all files: until then a power cut may bring an archived file back, which is archived again.
  for (const folder of [paths.inbox(source), join(paths.processing, source.name)])
    if (await exists(folder)) await syncFolder(folder).catch(asIoError('sync a folder', folder));
  return !stop.aborted;
}

/**
 * Resumes a half staged drop before any other drop is staged: rows of another drop might become duplicates of its rows, which may
 * never count. Where its file or source is gone, the drop is withdrawn: its staged rows were never visible.
 * @returns false: interrupted again.
 */
async function finishInterrupted(
  unfinished: WorkUnderWay['staging'][number],
  context: Intake,
): Promise<boolean> {
  const source = context.allSources.find(({ name }) => name === unfinished.source);
  const { containers } = await readState(context.ledger, ['containers']);
  const holding = [unfinished.sha256, ...containersOf(containers, unfinished)];
  for (const drop of source === undefined ? [] : await listClaimed(source, context.paths)) {
    if (!source || !holding.includes((await sha256IfReadable(drop.path)) ?? '')) continue;
    const confirmedBy = context.confirmed.get(source.name) ?? null;
    // Such a drop is staged again from its first row once its settings are confirmed, which `importAll` requires.
    if (confirmedBy === null && (await settingsInQuestion(context.ledger, source)) !== null) continue;
    await requireKnownSettings(context.ledger, source, confirmedBy);
    return importDrop(drop, true, source, context);
  }
  await withdrawDrop(
    context.ledger,
    context.lease,
    unfinished.source,
    context.runId,
    'Its staging was interrupted, and its file or its settings have changed since.',
  );
  return true;
}

/** Most runs find no file, and loading the code that reads files takes a tenth of a second. */
const loadStaging = once(() => import('./stage-drop.js'));

/**
 * Imports a claimed file. @param isResumed true: an earlier run claimed it. @returns false: interrupted; the next run resumes it.
 */
async function importDrop(
  drop: ClaimedDrop,
  isResumed: boolean,
  source: SourceConfig,
  intake: Intake,
): Promise<boolean> {
  const { stop, listen, confirmed, who } = intake;
  if (stop.aborted) return false;
  listen({ kind: 'drop', source: source.name, file: drop.name, path: drop.path });
  const { stageFile } = await loadStaging();
  const context = {
    ...intake,
    isResumed,
    source,
    confirmedBy: confirmed.get(source.name) ?? null,
    who: { name: who.name, door: 'inbox' as const },
  };
  const stamp = fileStamp(drop.path);
  const results = await unlessTakenOver(intake, () => stageFile(drop.path, drop.name, stamp, context));
  for (const result of results) {
    if (result.kind === 'changed' || result.kind === 'interrupted') continue;
    listen({ source: drop.source, file: drop.name, ...result });
  }
  if (results.some(({ kind }) => kind === 'interrupted')) return false;
  if (results.some(({ kind }) => kind === 'changed'))
    reportLeft(workspaceChanged(drop.path, 'changed-while-read'), source.name, intake);
  else await archiveOrReject(drop, stamp, results, intake);
  return true;
}

/**
 * Runs `stage`. Where another process has taken over the lease, and with it the claimed files, a missing file is an
 * interruption, not a failure.
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
 * Moves the file to archive/ or rejected/, by its results. A workbook with a refused sheet is moved to rejected/: its
 * sender corrects it and sends it again as a whole, which changes no row of its other sheets.
 * @param stamp of the file before it was read.
 */
async function archiveOrReject(
  drop: ClaimedDrop,
  stamp: string | null,
  results: readonly StageResult[],
  intake: Intake,
): Promise<void> {
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const lost =
    refusals.length === 0
      ? await archive(drop, stamp, results[0], intake)
      : (await rejectDrop(drop, intake.paths, refusals.join('\n'))) === null
        ? workspaceChanged(drop.path, 'changed-while-read')
        : null;
  // Without the lease, another process may have moved the file.
  if (lost !== null && (await intake.isHeld())) reportLeft(lost, drop.source, intake);
  failpoint('drop-put-away');
}

/** @param read the result of the file or of its first sheet. @returns why the file isn't in archive/; null: it is. */
async function archive(
  drop: ClaimedDrop,
  stamp: string | null,
  read: StageResult | undefined,
  intake: Intake,
): Promise<NotClaimed | null> {
  if (read === undefined || !('dropId' in read || 'decisionId' in read)) throw new Error('nothing was read');
  const dropId = 'dropId' in read ? read.dropId : null;
  const change = await changeSinceRead(drop.path, stamp, dropId, intake);
  if (change !== null) return change;
  const number = 'dropId' in read ? read.dropId : correctionNumber(read.decisionId);
  return (await archiveDrop(drop, intake.paths, number)) === null
    ? workspaceChanged(drop.path, 'lost')
    : null;
}
