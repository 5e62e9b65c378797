import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { Stats } from 'ssh2';
import { isoFromMs } from '../domain/clock.js';
import { visibleText } from '../domain/text/visible-text.js';
import { numberedName } from '../workspace/files/file-name.js';
import type { RemoteSource, SftpInbox } from './remote-inbox.js';
import { RemoteFault, type RemoteFile, type RemotePlace } from './remote-place.js';
import { connectSftp, type SftpConnection } from './sftp-connection.js';

type SftpSource = RemoteSource & { readonly sftp: SftpInbox };

/** Bytes of a file in one request; a packet of the protocol holds them. */
const CHUNK_BYTES = 32_768;

/** Chunks that are under way together: they bound the memory, and keep a distant server busy. */
const CHUNKS_AHEAD = 32;

/** Status codes of the protocol. */
const END_OF_FILE = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const UNSUPPORTED = 8;

export async function openSftp(remote: SftpSource, root: string, signal: AbortSignal): Promise<RemotePlace> {
  const connection = await connectSftp(remote, root, signal);
  const { source, sftp } = remote;
  const at = (name: string) => posix.join(sftp.folder, name);
  const fileFault = (operation: string, name: string, error: unknown) =>
    error instanceof RemoteFault ? error : faultOf('file', operation, name, error);
  const stats = async (path: string): Promise<Stats | null> => {
    try {
      return await connection.call<Stats>((client, done) => client.lstat(path, done));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const archiveFolder = at(sftp.archiveFolder);
  const makeArchive = async () => {
    if ((await stats(archiveFolder)) !== null) return;
    await connection.call<void>((client, done) => client.mkdir(archiveFolder, done));
  };
  return {
    isWhole: false,
    async list() {
      try {
        const entries = await connection.call<readonly { filename: string; attrs: Stats }[]>((client, done) =>
          client.readdir(sftp.folder, done),
        );
        return entries.flatMap(({ filename, attrs }) => (attrs.isFile() ? fileOf(filename, attrs) : []));
      } catch (error) {
        if (error instanceof RemoteFault) throw error;
        throw faultOf('source', `list ${remote.place}`, source.name, error);
      }
    },
    async stat(name) {
      try {
        const now = await stats(at(name));
        return now?.isFile() ? fileOf(name, now) : null;
      } catch (error) {
        throw fileFault('look at', name, error);
      }
    },
    async *read(file) {
      try {
        yield* chunksOf(connection, at(file.name), file.sizeBytes ?? 0);
      } catch (error) {
        throw fileFault('read', file.name, error);
      }
    },
    settling: {
      async remove(name) {
        try {
          await connection.call<void>((client, done) => client.unlink(at(name), done));
        } catch (error) {
          if (!isMissing(error)) throw fileFault('delete', name, error);
        }
      },
      async archive(name) {
        try {
          await makeArchive();
          let number = 1;
          while ((await stats(posix.join(archiveFolder, numberedName(name, number)))) !== null) number += 1;
          const target = posix.join(archiveFolder, numberedName(name, number));
          await connection.call<void>((client, done) => client.rename(at(name), target, done));
        } catch (error) {
          if (!isMissing(error)) throw fileFault('archive', name, error);
        }
      },
      async try(how) {
        const name = `.registrar-test-${randomBytes(6).toString('hex')}`;
        const moved = how === 'archive' ? posix.join(archiveFolder, name) : at(name);
        try {
          const handle = await connection.call<Buffer>((client, done) => client.open(at(name), 'wx', done));
          await connection.call<void>((client, done) => client.close(handle, done));
          if (how === 'archive') {
            await makeArchive();
            await connection.call<void>((client, done) => client.rename(at(name), moved, done));
          }
          await connection.call<void>((client, done) => client.unlink(moved, done));
        } catch (error) {
          throw fileFault(`${how} a test file,`, name, error);
        }
      },
    },
    close: connection.close,
  };
}

function fileOf(name: string, { size, mtime }: Stats): RemoteFile {
  return {
    name,
    version: `${size} bytes of ${isoFromMs(mtime * 1_000)}`,
    sizeBytes: size,
    modifiedAt: isoFromMs(mtime * 1_000),
  };
}

/** The bytes of a file in order, and one byte more where there is one. */
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

/** The bytes from there on; fewer only where the file ends. A server may answer with less than was requested. */
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

function faultOf(about: 'source' | 'file', operation: string, subject: string, error: unknown): RemoteFault {
  const reason = faultReason(error);
  return new RemoteFault(about, {
    operation,
    subject,
    message:
      about === 'source'
        ? `could not ${operation} for source ${subject}: ${reason}`
        : `could not ${operation} ${visibleText(subject)}: ${reason}`,
    hint:
      about === 'source'
        ? 'Correct folder, or have the account given the right to list it.'
        : statusOf(error) === PERMISSION_DENIED
          ? 'Have the account given that right on the server.'
          : 'Registrar tries again by itself. Have the disk and the folders of the server looked at.',
    exit: about === 'source' ? 'io' : 'attention',
    cause: error,
  });
}

/** Why a request was refused, as a clause. */
export function faultReason(error: unknown): string {
  if (statusOf(error) === PERMISSION_DENIED) return 'permission denied';
  if (isMissing(error)) return 'it does not exist';
  return `the server says: ${error instanceof Error ? error.message : String(error)}`;
}

/** True for the answer that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === NO_SUCH_FILE;
}

/** True where the server doesn't know a request: the client notices some by itself. */
export function isUnsupported(error: unknown): boolean {
  return !(error instanceof RemoteFault) && [null, UNSUPPORTED].includes(statusOf(error));
}

function statusOf(error: unknown): number | null {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : null;
}
