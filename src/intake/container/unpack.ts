import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { createGunzip } from 'node:zlib';
import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { countOf } from '../../domain/text/count-of.js';
import { visibleText } from '../../domain/text/visible-text.js';
import { containerKind } from '../kind-of-file.js';
import { unreadable } from '../unreadable.js';
import { entryBytes, openZip, zipEntries } from '../zip-entries.js';
import { decryptPgp } from './decrypt-pgp.js';
import { type UnpackedFile, type UnpackRules, writeUnpacked } from './unpacked-file.js';

/**
 * Unpacks a PGP message, gzip, or a zip archive that is no document; a message may hold one of the two others. Throws OperatorError for
 * any other container within a container, and for one that could do harm or is damaged; errors of the file system as they come.
 * @returns null: the file is no container. Else its files in their order, at least one.
 */
export async function unpack(path: string, rules: UnpackRules): Promise<readonly UnpackedFile[] | null> {
  const kind = await containerKind(path);
  if (kind !== 'pgp') {
    if (rules.source.decrypt?.verifyWith !== undefined) throw unreadable(path, 'pgp-unsigned');
    return kind === null ? null : unpackArchive(kind, path, rules);
  }
  const file = await decryptPgp(path, rules);
  const inner = await containerKind(file.path);
  if (inner === null) return [file];
  if (inner === 'pgp') throw unreadable(path, 'archive-within', { inner: 'the file in it' });
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
    if ((await containerKind(unpacked)) !== null) throw unreadable(path, 'archive-within', { inner });
  }
  return files;
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
    throw unreadable(path, 'gzip-damaged', {}, error);
  } finally {
    // First: once it isn't read, a late error of the file must not end in it.
    gunzip.destroy();
    packed.destroy();
  }
}

interface Member {
  readonly name: string;
  readonly entry: Entry;
}

async function unpackZip(path: string, rules: UnpackRules): Promise<readonly UnpackedFile[]> {
  const zip = await openZip(path);
  try {
    const members = await listMembers(path, zip);
    const matching = members.filter(({ name }) => rules.takes(posix.basename(name)));
    if (matching.length === 0) {
      const files = countOf(members.length, 'file');
      throw unreadable(path, 'archive-unmatched', { files, match: rules.source.match });
    }
    const unpacked = { bytes: 0 };
    const files: UnpackedFile[] = [];
    for (const { name, entry } of matching) {
      const bytes = entryBytes(path, zip, entry, `${visibleText(name)} in it`);
      files.push({ ...(await writeUnpacked(path, bytes, rules, unpacked)), name });
    }
    return files;
  } finally {
    zip.close();
  }
}

/** The files of an archive, all of them harmless by what its directory says. */
async function listMembers(path: string, zip: ZipFile): Promise<readonly Member[]> {
  const members: Member[] = [];
  const names = new Set<string>();
  for await (const entry of zipEntries(path, zip)) {
    const name = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    const mistake = mistakeOf(name, entry) ?? (names.has(keyOf(name)) ? 'is in it more than once' : null);
    if (mistake !== null) {
      throw unreadable(path, 'archive-entry', { name: visibleText(name), mistake });
    }
    names.add(keyOf(name));
    if (!name.endsWith('/')) members.push({ name, entry });
  }
  return members;
}

/** Names that are one on some disk. */
function keyOf(name: string): string {
  return posix.normalize(name).normalize('NFC').toLowerCase();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what no name may hold.
const UNPRINTABLE = /[\0-\x1f\x7f\u{fffd}]/u;

/** What makes an entry no file to unpack, as the end of a sentence; null where nothing does. */
function mistakeOf(name: string, entry: Entry): string | null {
  if (name === '' || UNPRINTABLE.test(name)) return "in it has a name that can't be printed";
  if (/^(?:\/|[a-z]:)/i.test(name)) return 'in it has an absolute path';
  if (name.split('/').includes('..')) return 'in it would be unpacked outside of the folder';
  if (entry.isEncrypted()) return 'in it is encrypted with a password';
  const type = typeOf(entry);
  if (type === LINK) return 'in it is a link';
  return type === 0 || type === PLAIN || type === FOLDER ? null : 'in it is not a plain file';
}

const LINK = 0o120000;
const PLAIN = 0o100000;
const FOLDER = 0o040000;

/** The type that an archiver on Unix has written; 0 where there is none. */
function typeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  const isOfUnix = [3, 19].includes(versionMadeBy >>> 8);
  return isOfUnix ? (externalFileAttributes >>> 16) & 0o170000 : 0;
}
