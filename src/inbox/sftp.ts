import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { Stats } from 'ssh2';
import { isoFromMs } from '../domain/clock.js';
import { numberedName } from '../workspace/files/file-name.js';
import type { RemoteAddress, SftpServer } from './remote-inbox.js';
import {
  partName,
  RemoteFault,
  type RemoteFile,
  type RemotePlace,
  sourceFault,
  withFaults,
} from './remote-place.js';
import { connectSftp, type SftpConnection } from './sftp-connection.js';

type SftpSource = RemoteAddress & { readonly sftp: SftpServer };

/** A packet of the protocol holds them. */
const CHUNK_BYTES = 32_768;

/** Chunks that are under way together: they bound the memory, and keep a distant server busy. */
const CHUNKS_AHEAD = 32;

/** Status codes of the protocol. */
const END_OF_FILE = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const UNSUPPORTED = 8;

const FOLDER_HINT = 'Correct folder, or have the account given the right on the server.';

export async function openSftp(remote: SftpSource, root: string, signal: AbortSignal): Promise<RemotePlace> {
  const connection = await connectSftp(remote, root, signal);
  const { source, sftp } = remote;
  const at = (name: string) => posix.join(sftp.folder, name);
  const stats = (path: string) =>
    connection
      .call<Stats | null>((client, done) => client.lstat(path, done))
      .catch((error) => {
        unlessMissing(error);
        return null;
      });
  try {
    await connection.call<Stats>((client, done) => client.stat(sftp.folder, done));
  } catch (error) {
    connection.close();
    if (error instanceof RemoteFault) throw error;
    const message = `could not open ${remote.place} for source ${source.name}: ${faultReason(error)}`;
    throw sourceFault(source, 'open the folder', message, FOLDER_HINT, 'io', error);
  }
  const archiveFolder = at(sftp.archiveFolder ?? '');
  const makeArchive = async () => {
    if ((await stats(archiveFolder)) !== null) return;
    await connection.call<void>((client, done) => client.mkdir(archiveFolder, done));
  };
  const place: RemotePlace = {
    isWhole: false,
    async list() {
      const entries = await connection.call<readonly { filename: string; attrs: Stats }[]>((client, done) =>
        client.readdir(sftp.folder, done),
      );
      return entries.flatMap(({ filename, attrs }) => (attrs.isFile() ? fileOf(filename, attrs) : []));
    },
    async stat(name) {
      const now = await stats(at(name));
      return now?.isFile() ? fileOf(name, now) : null;
    },
    read: (file) => chunksOf(connection, at(file.name), file.sizeBytes ?? 0),
    folder: {
      async put(path, name) {
        const part = at(partName(name));
        await connection.call<void>((client, done) => client.fastPut(path, part, done));
        // The rename of the protocol refuses to replace a file. Servers without that of OpenSSH lack the file for a moment.
        await connection
          .call<void>((client, done) => client.ext_openssh_rename(part, at(name), done))
          .catch(async (error) => {
            if (!isUnsupported(error)) throw error;
            await removed(connection, at(name));
            await connection.call<void>((client, done) => client.rename(part, at(name), done));
          });
      },
      remove: (name) => removed(connection, at(name)),
      async archive(name) {
        await makeArchive();
        let number = 1;
        while ((await stats(posix.join(archiveFolder, numberedName(name, number)))) !== null) number += 1;
        const target = posix.join(archiveFolder, numberedName(name, number));
        await connection
          .call<void>((client, done) => client.rename(at(name), target, done))
          .catch(unlessMissing);
      },
      async try(how) {
        const name = `.registrar-test-${randomBytes(6).toString('hex')}`;
        const moved = how === 'archive' ? posix.join(archiveFolder, name) : at(name);
        const handle = await connection.call<Buffer>((client, done) => client.open(at(name), 'wx', done));
        await connection.call<void>((client, done) => client.close(handle, done));
        if (how === 'archive') {
          await makeArchive();
          await connection.call<void>((client, done) => client.rename(at(name), moved, done));
        }
        await connection.call<void>((client, done) => client.unlink(moved, done));
      },
    },
    close: connection.close,
  };
  return withFaults(source, remote.place, place, (error) => ({
    reason: faultReason(error),
    hint: [NO_SUCH_FILE, PERMISSION_DENIED].includes(statusOf(error) ?? 0)
      ? FOLDER_HINT
      : 'Registrar tries again by itself. Have the disk and the folders of the server checked.',
    exit: 'io',
  }));
}

function removed({ call }: SftpConnection, path: string): Promise<void> {
  return call<void>((client, done) => client.unlink(path, done)).catch(unlessMissing);
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function fileOf(name: string, { size, mtime }: Stats): RemoteFile {
  const modifiedAt = isoFromMs(mtime * 1_000);
  return { name, version: `${size} bytes of ${modifiedAt}`, sizeBytes: size, modifiedAt };
}

/** In order, and one byte more than the size where there is one. */
async function* chunksOf(
  connection: SftpConnection,
  path: string,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const handle = await connection.call<Buffer>((client, done) => client.open(path, 'r', done));
  const ahead: Promise<Buffer>[] = [];
  try {
    let position = 0;
    while (position <= sizeBytes || ahead.length > 0) {
      while (position <= sizeBytes && ahead.length < CHUNKS_AHEAD) {
        const length = Math.min(CHUNK_BYTES, sizeBytes + 1 - position);
        const chunk = chunkAt(connection, handle, position, length);
        // Where an earlier one fails, nothing waits for it.
        chunk.catch(() => undefined);
        ahead.push(chunk);
        position += length;
      }
      yield (await ahead.shift()) as Buffer;
    }
  } finally {
    // A connection that is gone has closed it.
    await Promise.allSettled(ahead);
    await connection.call<void>((client, done) => client.close(handle, done)).catch(() => undefined);
  }
}

/** Fewer bytes only where the file ends: a server may answer with less than was requested. */
async function chunkAt(
  connection: SftpConnection,
  handle: Buffer,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = await connection
      .call<number>((client, done) =>
        client.read(handle, buffer, filled, length - filled, position + filled, done),
      )
      .catch((error) => {
        if (statusOf(error) === END_OF_FILE) return 0;
        throw error;
      });
    if (!count) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function faultReason(error: unknown): string {
  if (statusOf(error) === PERMISSION_DENIED) return 'permission denied';
  if (isMissing(error)) return 'it does not exist';
  return `the server says: ${error instanceof Error ? error.message : String(error)}`;
}

function isMissing(error: unknown): boolean {
  return statusOf(error) === NO_SUCH_FILE;
}

/** The client notices some unknown requests by itself. */
function isUnsupported(error: unknown): boolean {
  return !(error instanceof RemoteFault) && [null, UNSUPPORTED].includes(statusOf(error));
}

function statusOf(error: unknown): number | null {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : null;
}
