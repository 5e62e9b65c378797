import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { readState, type WorkUnderWay } from '../ledger/books/state/read-state.js';
import { arrivedFiles } from '../ledger/drops/arrived-files.js';
import { containersOf } from '../ledger/drops/contained-files.js';
import { withdrawDrop } from '../ledger/drops/discard-rows.js';
import { noteInbox } from '../ledger/drops/note-inbox.js';
import { type KeptLeases, withLeases } from '../ledger/leases/leases.js';
import { sha256IfReadable } from '../workspace/files/copy-verified.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { fileSystemOf, listInbox, waitUntilStable } from '../workspace/inbox/list-inbox.js';
import { claimDrop, listClaimed } from '../workspace/taken/claim-drop.js';
import { requireKnownSettings, settingsInQuestion } from './key-settings.js';
import { type ImportProblems, type Intake, type IntakeContext, leave } from './stage-context.js';
import { takeDrop } from './take-drop.js';
import { claimChanged, reportForeign } from './workspace-changed.js';

/** How often a process checks whether another process still stages. */
const QUEUE_POLL_MS = 200;

/**
 * Imports every file that is ready, source by source: first the files that an earlier process left in processing/, then
 * the inbox. One process stages at a time; the others wait.
 */
export async function importFiles(context: IntakeContext): Promise<ImportProblems> {
  const { ledger, owner, runId, clock, listen } = context;
  for (let isQueued = false; !context.stop.aborted; isQueued = true) {
    const taken = await withLeases(ledger, ['stage'], owner, runId, async (kept) => importAll(context, kept));
    if ('done' in taken) return taken.done;
    if (!isQueued) listen({ kind: 'queued', pid: taken.holder.pid });
    await clock.sleep(QUEUE_POLL_MS, context.stop);
  }
  return { troubles: [], untaken: [] };
}

async function importAll(
  context: IntakeContext,
  { leases: [lease], lost, areHeld }: KeptLeases<readonly ['stage']>,
): Promise<ImportProblems> {
  failpoint('stage-lease-taken');
  const stop = AbortSignal.any([context.stop, lost]);
  const intake: Intake = { ...context, stop, lease, isHeld: areHeld, troubles: [], untaken: [] };
  const { ledger, paths, confirmed, troubles } = intake;
  const { staging } = (await readState(ledger, ['work'])).work;
  for (const unfinished of staging) {
    if (!(await finishInterrupted(unfinished, intake))) return intake;
  }
  const taken = await arrivedFiles(ledger);
  for (const source of intake.sources) {
    try {
      await requireKnownSettings(ledger, source, confirmed.get(source.name) ?? null);
      await claimChanged(source.name, taken, intake);
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
  const { paths, clock, stop } = intake;
  for (const drop of await listClaimed(source, paths)) {
    if (!(await takeDrop(drop, true, source, intake))) return false;
  }
  // Unmatched files are reported after all sources are imported.
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

/**
 * Resumes a half staged drop before any other drop is staged: rows of another drop might become duplicates of its
 * rows, which may never count. Where its file or source is gone, the drop is withdrawn: its staged rows were never
 * visible.
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
    return takeDrop(drop, true, source, context);
  }
  await withdrawDrop(
    context.ledger,
    context.lease,
    unfinished.dropId,
    context.runId,
    'Its staging was interrupted, and its file or its settings have changed since.',
  );
  return true;
}

/**
 * Records the inbox's file system for the health check: where a share isn't mounted, there is an empty folder on
 * another one.
 */
async function noteFileSystem(source: SourceConfig, { ledger, paths }: Intake): Promise<void> {
  const fileSystem = await fileSystemOf(paths.inbox(source));
  if (fileSystem !== null) await noteInbox(ledger, source.name, { kind: 'file-system', fileSystem });
}
