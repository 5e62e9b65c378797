import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { stampIfThere } from '../intake/read-bytes.js';
import type { ClaimedDrop, NotTaken } from '../workspace/taken/claim-drop.js';
import { archiveDrop, correctionNumber, rejectDrop } from '../workspace/taken/shelve-drop.js';
import { type Intake, leave, type StageResult } from './stage-context.js';
import { changedWhileRead, changeSinceRead, lostAfter } from './workspace-changed.js';

/**
 * Imports a claimed file. @param isLeft true: an earlier run claimed it. @returns false: interrupted; the next run
 * resumes it.
 */
export async function takeDrop(
  drop: ClaimedDrop,
  isLeft: boolean,
  source: SourceConfig,
  intake: Intake,
): Promise<boolean> {
  const { stop, listen, confirmed, who } = intake;
  if (stop.aborted) return false;
  listen({ kind: 'drop', source: source.name, file: drop.name, path: drop.path });
  // Most runs find no file, and loading the code that reads files takes a tenth of a second.
  const { stageFile } = await import('./stage-file.js');
  const context = {
    ...intake,
    isLeft,
    source,
    confirmedBy: confirmed.get(source.name) ?? null,
    who: { name: who.name, door: 'inbox' as const },
  };
  const stamp = stampIfThere(drop.path);
  const results = await unlessTakenOver(intake, () => stageFile(drop.path, drop.name, stamp, context));
  for (const result of results) {
    if (result.kind === 'changed' || result.kind === 'interrupted') continue;
    listen({ source: drop.source, file: drop.name, ...result });
  }
  if (results.some(({ kind }) => kind === 'interrupted')) return false;
  const counted = results.some(({ kind }) => kind !== 'refused' && kind !== 'changed') ? 'some' : 'none';
  if (results.some(({ kind }) => kind === 'changed'))
    leave(changedWhileRead(drop.path, counted), source.name, intake);
  else await shelve(drop, stamp, results, intake);
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
async function shelve(
  drop: ClaimedDrop,
  stamp: string | null,
  results: readonly StageResult[],
  intake: Intake,
): Promise<void> {
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const lost =
    refusals.length > 0
      ? await reject(drop, refusals, intake)
      : await archive(drop, stamp, results[0], intake);
  // Without the lease, another process may have moved the file.
  if (lost !== null && (await intake.isHeld())) leave(lost, drop.source, intake);
  failpoint('drop-put-away');
}

/** @returns why the file isn't in rejected/; null: it is. */
async function reject(
  drop: ClaimedDrop,
  refusals: readonly string[],
  { paths }: Intake,
): Promise<NotTaken | null> {
  const rejected = await rejectDrop(drop, paths, refusals.join('\n'));
  return rejected === null ? changedWhileRead(drop.path, 'none') : null;
}

/** @param read the result of the file or of its first sheet. @returns why the file isn't in archive/; null: it is. */
async function archive(
  drop: ClaimedDrop,
  stamp: string | null,
  read: StageResult | undefined,
  intake: Intake,
): Promise<NotTaken | null> {
  if (read === undefined || !('dropId' in read || 'decisionId' in read)) throw new Error('nothing was read');
  const dropId = 'dropId' in read ? read.dropId : null;
  const change = await changeSinceRead(drop.path, stamp, dropId, intake);
  if (change !== null) return change;
  const number = 'dropId' in read ? read.dropId : correctionNumber(read.decisionId);
  return (await archiveDrop(drop, intake.paths, number)) === null ? lostAfter(drop.path) : null;
}
