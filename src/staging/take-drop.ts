import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { stampIfThere } from '../intake/read-bytes.js';
import type { ClaimedDrop } from '../workspace/taken/claim-drop.js';
import { archiveDrop, correctionNumber, rejectDrop } from '../workspace/taken/shelve-drop.js';
import { type Intake, leave, type StageResult } from './stage-context.js';
import { changedWhileRead, changeSinceRead, lostAfter } from './workspace-changed.js';

/** @param isLeft an earlier run claimed it. @returns false when it was interrupted: the next run resumes it. */
export async function takeDrop(
  drop: ClaimedDrop,
  isLeft: boolean,
  source: SourceConfig,
  intake: Intake,
): Promise<boolean> {
  const { stop, listen, confirmed, who } = intake;
  if (stop.aborted) return false;
  listen({ kind: 'drop', source: source.name, file: drop.name, path: drop.path });
  // Most runs find no file, and loading the code that reads one takes a tenth of a second.
  const { stageFile } = await import('./stage-file.js');
  const context = {
    ...intake,
    isLeft,
    source,
    confirmedBy: confirmed.get(source.name) ?? null,
    who: { name: who.name, door: 'inbox' as const },
  };
  const stamp = stampIfThere(drop.path);
  const results = await unlessTakenOver(intake, () => stageFile(drop.path, drop.name, context));
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
 * @param stamp of the file before anything of it was read.
 */
async function shelve(
  drop: ClaimedDrop,
  stamp: string | null,
  results: readonly StageResult[],
  intake: Intake,
): Promise<void> {
  const { paths } = intake;
  const read = results.find((result) => result.kind === 'corrected' || 'dropId' in result);
  if (read === undefined) return;
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const isRefused = refusals.length > 0;
  const dropId = read.kind === 'corrected' ? null : read.dropId;
  const change = isRefused ? null : await changeSinceRead(drop.path, stamp, dropId, intake);
  const number = read.kind === 'corrected' ? correctionNumber(read.decisionId) : read.dropId;
  const putAway = () =>
    isRefused ? rejectDrop(drop, paths, refusals.join('\n')) : archiveDrop(drop, paths, number);
  const isLost = change !== null || (await putAway()) === null;
  // Claimed files go with the lease: another process may have put this one away.
  if (isLost && (await intake.isHeld())) {
    const lost = isRefused ? changedWhileRead(drop.path, 'none') : lostAfter(drop.path);
    leave(change ?? lost, drop.source, intake);
  }
  failpoint('drop-put-away');
}
