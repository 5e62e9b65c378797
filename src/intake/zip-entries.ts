import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

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
 * as they come.
 */
export async function* entryBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of inflated(zip, entry)) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    if (isBomb(bytes, entry.compressedSize)) throw new EntryFault('bomb', bytes);
    yield chunk;
  }
  if (checksum !== entry.crc32) throw new EntryFault('damaged', bytes);
}

/** True for unpacked bytes that are far more than what was packed can mean. */
export function isBomb(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > packedBytes * RATIO_MAX;
}

async function* inflated(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new EntryFault('damaged', 0, error);
  }
}
