import { isAscii } from 'node:buffer';
import { readBytes } from '../../read-bytes.js';

/** The evidence of the bytes above ASCII in a text that isn't valid UTF-8. */
export interface HighBytes {
  /** Characters of several bytes as UTF-8 writes them. */
  readonly sound: number;
  /** Letters of Latin-1 among them beside a small letter of ASCII: text in another encoding hardly ever has one. */
  readonly soundInWords: number;
  /** Places with bytes that belong to no such character. */
  readonly stray: number;
  /** The first different stretches of text with such bytes, a byte a character, and where each begins in the file. */
  readonly pieces: ReadonlyMap<string, number>;
}

/** Reads the file once, in constant memory. */
export async function surveyHighBytes(path: string): Promise<HighBytes> {
  const decoder = new TextDecoder();
  const pieces = new Map<string, number>();
  const counts = { sound: 0, soundInWords: 0, stray: 0 };
  let offset = 0;
  for await (const chunk of readBytes(path)) {
    const text = decoder.decode(chunk, { stream: true });
    counts.sound += count(text, /[^\0-\x7f\ufffd]/gu);
    counts.soundInWords += count(text, /[a-z][\xc0-\xff]|[\xc0-\xff][a-z]/g);
    counts.stray += count(text, /\ufffd/g);
    if (pieces.size < MAX_PIECES && !isAscii(chunk)) addPieces(pieces, chunk, offset);
    offset += chunk.length;
  }
  return { ...counts, stray: counts.stray + decoder.decode().length, pieces };
}

function count(text: string, expression: RegExp): number {
  return text.match(expression)?.length ?? 0;
}

/** More different stretches would show nothing new. */
const MAX_PIECES = 500;

/** Bytes of a stretch behind its first one above ASCII, and before it. */
const LONGEST_PIECE = 120;
const LONGEST_BEFORE = 40;

/** Letters and digits, and what may be the second byte of a character in the encodings of East Asia. */
const STRETCH = /[@-~\d\x80-\xff]+/g;

function addPieces(pieces: Map<string, number>, chunk: Buffer, offset: number): void {
  for (const { 0: stretch, index } of chunk.toString('latin1').matchAll(STRETCH)) {
    const high = stretch.search(/[\x80-\xff]/);
    // The ends of a chunk may cut a character in half.
    const isCut = index === 0 || index + stretch.length === chunk.length;
    if (high < 0 || (isCut && pieces.size > 0)) continue;
    const start = Math.max(0, high - LONGEST_BEFORE);
    const text = stretch.slice(start, high + LONGEST_PIECE);
    if (!pieces.has(text)) pieces.set(text, offset + index + start);
    if (pieces.size === MAX_PIECES) return;
  }
}
