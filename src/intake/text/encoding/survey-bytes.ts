import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { DropIdentity } from '../../../domain/drop.js';
import { isZip } from '../../kind-of-file.js';
import { readBytes } from '../../read-bytes.js';

/** All of a file's bytes that recognising its format and encoding needs. An archive isn't searched for the properties of a text. */
export interface ByteSurvey {
  readonly identity: DropIdentity;
  /** The first bytes, enough to distinguish a table from a page. */
  readonly head: Uint8Array;
  readonly validUtf8: boolean;
  /** Zero bytes at even and at odd offsets, and where the first one is (-1: nowhere). */
  readonly nuls: { readonly even: number; readonly odd: number; readonly first: number };
}

export async function surveyBytes(path: string): Promise<ByteSurvey> {
  const hash = createHash('sha256');
  const utf8 = utf8Check();
  const nuls = { even: 0, odd: 0, first: -1 };
  let head = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of readBytes(path, 0, CHUNK_BYTES)) {
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    if (!isZip(head)) {
      utf8.add(chunk);
      countNuls(chunk, bytes, nuls);
    }
    bytes += chunk.length;
  }
  return {
    identity: { sha256: hash.digest('hex'), bytes },
    head,
    validUtf8: !isZip(head) && utf8.end(),
    nuls,
  };
}

const HEAD_BYTES = 1024;

const CHUNK_BYTES = 256 * 1024;

/** UTF-8 validity over chunks that may end inside a character. */
function utf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let valid = true;
  let isBetweenCharacters = true;
  const decode = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      valid = false;
    }
  };
  return {
    add(chunk: Buffer): void {
      // Most chunks are ASCII, which is many times faster to see.
      if (!valid || (isBetweenCharacters && isAscii(chunk))) return;
      decode(chunk);
      isBetweenCharacters = (chunk[chunk.length - 1] ?? 0) < 0x80;
    },
    end(): boolean {
      if (valid) decode();
      return valid;
    },
  };
}

function countNuls(chunk: Buffer, offset: number, nuls: { even: number; odd: number; first: number }): void {
  const first = chunk.indexOf(0);
  if (first < 0) return;
  if (nuls.first < 0) nuls.first = offset + first;
  for (let at = first; at < chunk.length; at += 1) {
    if (chunk[at] !== 0) continue;
    if ((offset + at) % 2 === 0) nuls.even += 1;
    else nuls.odd += 1;
  }
}
