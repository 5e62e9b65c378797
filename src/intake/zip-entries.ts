import { createReadStream } from 'node:fs';
import type { Readable, TransformOptions } from 'node:stream';
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { unreadable } from './unreadable.js';

/** Opens a zip archive; throws OperatorError where it is none. Close it. */
export async function openZip(path: string): Promise<ZipFile> {
  try {
    // Names stay bytes: yauzl refuses whole archives for a leading slash.
    return await openPromise(path, { autoClose: false, decodeStrings: false });
  } catch (error) {
    throw unlessOfDisk(path, error, CUT_OFF);
  }
}

const CUT_OFF = 'the archive is cut off or damaged';

/** Archives have some dozen entries, workbooks with many sheets and pictures some hundred. */
const ENTRIES_MAX = 10_000;

/** The entries of an archive's directory. */
export async function* zipEntries(path: string, zip: ZipFile): AsyncGenerator<Entry> {
  if (zip.entryCount > ENTRIES_MAX)
    throw unreadable(path, 'too-many-entries', { entries: zip.entryCount, most: ENTRIES_MAX });
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw unlessOfDisk(path, error, CUT_OFF);
  }
}

/**
 * The bytes of an entry, inflated and checked against its size and checksum. Throws OperatorError for a damaged one, and errors of the
 * file system as they come. @param path the archive. @param what the entry, in the words of a sentence.
 */
export async function* entryBytes(
  path: string,
  zip: ZipFile,
  entry: Entry,
  what: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of inflated(path, zip, entry)) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      if (bytes > entry.uncompressedSize) throw new Error('more bytes than the archive says');
      yield chunk;
    }
    if (bytes !== entry.uncompressedSize || checksum !== entry.crc32)
      throw new Error('other bytes than the archive says');
  } catch (error) {
    throw unlessOfDisk(path, error, `${what} is damaged: it can't be unpacked`);
  }
}

function unlessOfDisk(path: string, error: unknown, what: string): unknown {
  if (error instanceof Error && 'syscall' in error) return error;
  return unreadable(path, 'archive-damaged', { what }, error);
}

async function* inflated(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  if (entry.compressedSize === 0) return;
  const { compressionMethod: method } = entry;
  // First: an unread stream would keep the file open, and end the process where the file is gone.
  if (method !== STORED && method !== DEFLATED) throw new Error(`compression method ${method}`);
  // Not by the archive's own stream, which stacks three streams with small chunks.
  const stored = createReadStream(path, {
    start: fileDataStart,
    end: fileDataStart + entry.compressedSize - 1,
    highWaterMark: STORED_CHUNK_BYTES,
  });
  if (method === STORED) yield* stored;
  else yield* inflate(stored);
}

async function* inflate(stored: Readable): AsyncGenerator<Buffer> {
  const inflated = createInflateRaw(INFLATING);
  stored.once('error', (error) => inflated.destroy(error));
  try {
    yield* stored.pipe(inflated);
  } finally {
    stored.destroy();
  }
}

const STORED = 0;
const DEFLATED = 8;

/** Few large turns of the thread that reads or unpacks, with one chunk ahead, leave neither it nor the consumer idle. */
const STORED_CHUNK_BYTES = 256 * 1024;
const INFLATED_CHUNK_BYTES = 512 * 1024;
const INFLATING: ZlibOptions & TransformOptions = {
  chunkSize: INFLATED_CHUNK_BYTES,
  readableHighWaterMark: 2 * INFLATED_CHUNK_BYTES,
};

/** The parts of a zip archive by name. Close it after use. */
export interface Archive {
  readonly directory: Directory;
  has(part: string): boolean;
  /** The part's bytes, inflated and checked against their checksum. Throws OperatorError when they are damaged. */
  read(part: string): AsyncGenerator<Buffer>;
  close(): void;
}

/**
 * Opens an archive and reads its directory. Its output is bounded, so that a small file can't fill memory or time.
 * @param cached the directory from an earlier call: with many sheets, reading it is most of the cost of looking at each.
 */
export async function openArchive(path: string, cached?: Directory): Promise<Archive> {
  const zip = await openZip(path);
  try {
    const directory = cached ?? (await readDirectory(path, zip));
    return {
      directory,
      has: (part) => directory.has(partKey(part)),
      read: (part) => readPart(path, zip, part, directory),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** The most bytes of a part. A million rows of 30 columns are less than 3 GiB of XML. */
const INFLATED_BYTES_MAX = 4_000_000_000;

/** A name that several entries have is null: programs disagree on which one counts. */
export type Directory = ReadonlyMap<string, Entry | null>;

async function readDirectory(path: string, zip: ZipFile): Promise<Directory> {
  const directory = new Map<string, Entry | null>();
  for await (const entry of zipEntries(path, zip)) {
    const key = partKey(entry.fileNameRaw.toString());
    directory.set(key, directory.has(key) ? null : entry);
  }
  return directory;
}

async function* readPart(
  path: string,
  zip: ZipFile,
  part: string,
  directory: Directory,
): AsyncGenerator<Buffer> {
  const entry = directory.get(partKey(part));
  if (!entry) {
    const fault = entry === null ? 'is in it more than once' : 'is missing';
    throw unreadable(path, 'workbook-damaged', { what: `its part ${part} ${fault}` });
  }
  if (entry.isEncrypted()) throw unreadable(path, 'archive-encrypted');
  if (entry.uncompressedSize > INFLATED_BYTES_MAX)
    throw unreadable(path, 'part-too-large', { part, bytes: entry.uncompressedSize });
  yield* entryBytes(path, zip, entry, `the workbook's part ${part}`);
}

/** How a part is looked up; archives made on Windows have backslashes, some begin with a slash. */
function partKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}
