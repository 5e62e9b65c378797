import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { visibleText } from '../../domain/text/visible-text.js';
import { unreadable } from '../unreadable.js';
import { containerKind } from './container-kind.js';
import { decryptPgp, notSigned } from './decrypt-pgp.js';
import { unpackZip } from './unpack-zip.js';
import { type UnpackedFile, type UnpackRules, writeUnpacked } from './unpacked-file.js';

/**
 * Unpacks a container, recognised by its content: a PGP message, gzip, or a zip archive that is no document; a message may hold one of
 * the two others. Any other container within a container is refused, and so is one that could do harm or whose content is damaged, as
 * a whole. Throws OperatorError with the remedy then; errors of the file system as they come.
 * @returns null: the file is no container. Else its files in their order, at least one.
 */
export async function unpack(path: string, rules: UnpackRules): Promise<readonly UnpackedFile[] | null> {
  const kind = await containerKind(path);
  if (kind !== 'pgp') {
    if (rules.source.decrypt?.verifyWith !== undefined) throw notSigned(path);
    return kind === null ? null : unpackArchive(kind, path, rules);
  }
  const file = await decryptPgp(path, rules);
  const inner = await containerKind(file.path);
  if (inner === null) return [file];
  if (inner === 'pgp') throw withinAnother(path, 'the file in it');
  return unpackArchive(inner, file.path, rules);
}

async function unpackArchive(
  kind: 'gzip' | 'zip',
  path: string,
  rules: UnpackRules,
): Promise<readonly UnpackedFile[]> {
  const files = kind === 'zip' ? await unpackZip(path, rules) : [await unpackGzip(path, rules)];
  for (const { name, path: unpacked } of files) {
    const inner = name === null ? 'the file in it' : `${visibleText(name)} in it`;
    if ((await containerKind(unpacked)) !== null) throw withinAnother(path, inner);
  }
  return files;
}

function withinAnother(path: string, inner: string) {
  return unreadable(path, `${inner} is an archive itself`, 'Have the sender pack files, not archives.');
}

async function unpackGzip(path: string, rules: UnpackRules): Promise<UnpackedFile> {
  const packed = createReadStream(path);
  const gunzip = createGunzip();
  packed.once('error', (error) => gunzip.destroy(error));
  try {
    return { ...(await writeUnpacked(path, packed.pipe(gunzip), rules, { bytes: 0 })), name: null };
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
