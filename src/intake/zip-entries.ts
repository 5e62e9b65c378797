import type { Readable, TransformOptions } from 'node:stream';
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { readPiece } from './read-bytes.js';

/** Why an entry can't be unpacked; its `cause` says more of `damaged`. */
export class EntryFault extends Error {
  readonly what: 'damaged' | 'bomb';
  /** Inflated so far. */
  readonly bytes: number;

  constructor(what: 'damaged' | 'bomb', bytes: number, cause?: unknown) {
    super(`the entry of the zip archive is ${what}`, { cause });
    this.what = what;
    this.bytes = bytes;
  }
}

/** Opens a zip archive; throws what the reader throws where it is none. Close it. */
export function openZip(path: string): Promise<ZipFile> {
  // Names stay bytes: yauzl refuses whole archives for a leading slash.
  return openPromise(path, { autoClose: false, decodeStrings: false });
}

/**
 * Tables compress 10 to 50 times, monotonous ones 100 times, bombs up to 1000 times. Small entries may do as they like.
 */
const RATIO_MAX = 200;
const RATIO_FREE_BYTES = 50 * 1024 ** 2;

/**
 * The bytes of an entry, inflated and checked against its size and checksum. Throws EntryFault, and errors of the file system
 * as they come. @param path the archive.
 */
export async function* entryBytes(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of inflated(path, zip, entry)) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    if (bytes > entry.uncompressedSize) throw new EntryFault('damaged', bytes);
    if (isBomb(bytes, entry.compressedSize)) throw new EntryFault('bomb', bytes);
    yield chunk;
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) throw new EntryFault('damaged', bytes);
}

/** True for unpacked bytes that are far more than what was packed can mean. */
export function isBomb(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > packedBytes * RATIO_MAX;
}

async function* inflated(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    if (entry.compressedSize === 0) return;
    // Not by the archive's own stream, which stacks three streams with small chunks.
    const stored = readPiece(path, fileDataStart, fileDataStart + entry.compressedSize, STORED_CHUNK_BYTES);
    if (entry.compressionMethod === STORED) yield* stored;
    else if (entry.compressionMethod === DEFLATED) yield* inflate(stored);
    else throw new Error(`compression method ${entry.compressionMethod}`);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new EntryFault('damaged', 0, error);
  }
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

/**
 * Each chunk is a turn of a thread that reads or unpacks, beside the thread that consumes it. Few large turns, with one chunk
 * ahead, leave neither thread idle; a busy machine makes each turn wait.
 */
const STORED_CHUNK_BYTES = 256 * 1024;
const INFLATED_CHUNK_BYTES = 512 * 1024;
const INFLATING: ZlibOptions & TransformOptions = {
  chunkSize: INFLATED_CHUNK_BYTES,
  readableHighWaterMark: 2 * INFLATED_CHUNK_BYTES,
};
