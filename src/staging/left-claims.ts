import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { sha256Of } from '../workspace/files/copy-verified.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { type FileMark, hasRested, markOf, openPlain } from '../workspace/files/plain-file.js';
import { type ClaimedDrop, listClaimed, listProcessing } from '../workspace/taken/claim-drop.js';
import { type Intake, leave } from './intake-context.js';

/** Files in processing/ whose source registrar.yaml no longer has: no run would ever take them in. */
export async function orphans({ paths, allSources }: Intake): Promise<OperatorError[]> {
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

/**
 * The claimed drops of a source that nobody is writing to: a file that changed while it was taken in may not be complete
 * yet.
 */
export async function restedClaims(source: SourceConfig, intake: Intake): Promise<readonly ClaimedDrop[]> {
  const { clock, paths, stop } = intake;
  const found: { drop: ClaimedDrop; seen: FileMark | 'gone' | 'denied'; isYoung: boolean }[] = [];
  for (const drop of await listClaimed(source, paths)) {
    const seen = await lookAtClaimed(drop);
    const isYoung = typeof seen === 'object' && clock.nowMs() - seen.mtimeMs < source.stableForMs;
    found.push({ drop, seen, isYoung });
  }
  if (found.some(({ isYoung }) => isYoung)) await clock.sleep(source.stableForMs, stop);
  const rested: ClaimedDrop[] = [];
  for (const { drop, seen, isYoung } of found) {
    const now = isYoung ? await lookAtClaimed(drop) : seen;
    if (seen === 'gone' || now === 'gone') continue;
    if (seen === 'denied' || now === 'denied') leaveClaimed(drop, "can't be read", source, intake);
    else if (hasRested(seen, now)) rested.push(drop);
    else leaveClaimed(drop, 'is still being written', source, intake);
  }
  return rested;
}

async function lookAtClaimed({ path }: ClaimedDrop): Promise<FileMark | 'gone' | 'denied'> {
  try {
    const handle = await openPlain(path);
    if (handle === null) return 'gone';
    const stat = await handle.stat();
    await handle.close();
    return markOf(stat);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return 'denied';
    throw ioError('look at a claimed file', path, error);
  }
}

function leaveClaimed({ path }: ClaimedDrop, reason: string, source: SourceConfig, intake: Intake): void {
  const remedy = 'It is taken in once it can be read and has rested; until then each run tells of it.';
  leave({ path, code: 'changing', reason, remedy, needsAttention: true }, source, intake);
}

export async function sha256IfThere(path: string): Promise<string | null> {
  try {
    return await sha256Of(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw ioError('go on with a claimed file', path, error);
  }
}
