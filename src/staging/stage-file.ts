import { dirname } from 'node:path';
import { partFileName } from '../domain/drop.js';
import { failpoint } from '../domain/process/failpoint.js';
import { unpack } from '../intake/container/unpack.js';
import { assertUnchanged } from '../intake/read-bytes.js';
import { surveyBytes } from '../intake/text/encoding/survey-bytes.js';
import { noteInbox } from '../ledger/drops/note-inbox.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { type StagedFile, stageThere } from './door.js';
import type { StageContext, StageResult } from './stage-context.js';
import { stageDrop } from './stage-drop.js';
import { requireTakenSize } from './too-large.js';
import { unpackRoom } from './unpack-room.js';

/**
 * Imports one file, already claimed into processing/, into the ledger: a container file by file, each as a separate
 * drop, and any other file as `stageDrop` does. The files of a container are unpacked beside it, and removed
 * afterwards.
 * @param stamp of the file before it was read; null: it is gone.
 * @returns the result for each file; an interruption is the last.
 */
export async function stageFile(
  path: string,
  fileName: string,
  stamp: string | null,
  context: StageContext,
): Promise<readonly StageResult[]> {
  const { ledger, source, stop } = context;
  const { rules, remove } = unpackRoom(source, dirname(path), stop);
  try {
    const stage = async (delivered: StagedFile) => {
      requireTakenSize(path, source);
      const files = await unpack(path, rules);
      if (files === null) return stageDrop(delivered);
      const { identity } = await surveyBytes(path);
      assertUnchanged(path, delivered.stamp);
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      await noteInbox(ledger, source.name, { kind: 'unpacked', container: identity, files: hashes });
      failpoint('container-unpacked');
      const results: StageResult[] = [];
      for (const file of files) {
        if (results.some(({ kind }) => kind === 'interrupted' || kind === 'changed')) break;
        const name = file.name === null ? fileName : partFileName(fileName, file.name);
        results.push(...(await stageThere(file.path, name, context, stageDrop)));
      }
      return results;
    };
    return await stageThere(path, fileName, context, stage, stamp);
  } catch (error) {
    if (stop.aborted && error instanceof Error && error.name === 'AbortError')
      return [{ kind: 'interrupted' }];
    throw errorCode(error) === null ? error : ioError('unpack a file', path, error);
  } finally {
    await remove();
  }
}
