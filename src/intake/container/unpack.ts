import { createReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { visibleText } from '../../domain/text/visible-text.js';
import { unreadable } from '../unreadable.js';
import { isBomb } from '../zip-entries.js';
import { containerKind } from './container-kind.js';
import { unpackZip } from './unpack-zip.js';
import { type UnpackedFile, type UnpackRules, unpacksToFarMore, writeUnpacked } from './unpacked-file.js';

/**
 * Unpacks a container, recognised by its content: gzip, or a zip archive that is no document. A container within a container is
 * refused, and so is one that could do harm or whose content is damaged, as a whole. Throws OperatorError with the remedy then;
 * errors of the file system as they come.
 * @returns null: the file is no container. Else its files in their order, at least one.
 */
export async function unpack(path: string, rules: UnpackRules): Promise<readonly UnpackedFile[] | null> {
  const kind = await containerKind(path);
  if (kind === null) return null;
  const files = kind === 'zip' ? await unpackZip(path, rules) : [await unpackGzip(path, rules)];
  for (const file of files) {
    if ((await containerKind(file.path)) === null) continue;
    const inner = file.name === null ? 'the file in it' : `${visibleText(file.name)} in it`;
    throw unreadable(path, `${inner} is an archive itself`, 'Have the sender pack files, not archives.');
  }
  return files;
}

async function unpackGzip(path: string, rules: UnpackRules): Promise<UnpackedFile> {
  const packedBytes = statSync(path).size;
  const packed = createReadStream(path);
  const gunzip = createGunzip();
  packed.once('error', (error) => gunzip.destroy(error));
  const unpacked = { bytes: 0 };
  async function* bounded() {
    for await (const chunk of packed.pipe(gunzip)) {
      if (isBomb(unpacked.bytes, packedBytes)) throw unpacksToFarMore(path, unpacked.bytes);
      yield chunk as Buffer;
    }
  }
  try {
    return { ...(await writeUnpacked(path, bounded(), rules, unpacked)), name: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw unreadable(
      path,
      "the file is cut off or damaged: it can't be unpacked",
      'Transfer it again.',
      error,
    );
  } finally {
    packed.destroy();
  }
}
