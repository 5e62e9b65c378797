import { isAscii } from 'node:buffer';
import { readBytes } from '../../read-bytes.js';

/** The evidence of the bytes above ASCII in a text that isn't valid UTF-8. */
export interface HighBytes {
  /** Characters of several bytes as UTF-8 writes them. */
  readonly sound: number;
  /** Those of them that are a letter of Latin-1 beside a small letter of ASCII: text in another encoding hardly ever has one. */
  readonly soundInWords: number;
  /** Bytes that belong to no such character. */
  readonly stray: number;
  /** The file ends within a character, and nothing else is wrong. */
  readonly isCutAtEnd: boolean;
  /** The first different stretches of text with such bytes, a byte a character, and where each begins in the file. */
  readonly pieces: readonly { readonly text: string; readonly offset: number }[];
}

/** Reads the file once, in constant memory. */
export async function surveyHighBytes(path: string): Promise<HighBytes> {
  const utf8 = utf8Counter();
  const pieces = pieceCollector();
  let offset = 0;
  for await (const chunk of readBytes(path)) {
    if (isAscii(chunk)) utf8.pass();
    else {
      utf8.add(chunk);
      pieces.add(chunk, offset);
    }
    offset += chunk.length;
  }
  return { ...utf8.end(), pieces: pieces.all() };
}

/** Counts characters of several bytes, and bytes that belong to none, over chunks that may end inside a character. */
function utf8Counter() {
  let sound = 0;
  let soundInWords = 0;
  let stray = 0;
  /** The bytes that the current character still needs, those that it has, and the allowed range of its second byte. */
  let open = 0;
  let length = 0;
  let lowest = 0x80;
  let highest = 0xbf;
  let lead = 0;
  /** The byte before the current character, and whether the character before it was a letter of Latin-1. */
  let before = 0;
  let last = 0;
  let endedLetter = false;

  function give(): void {
    stray += length;
    open = 0;
    length = 0;
  }

  function begin(byte: number): void {
    endedLetter = false;
    before = last;
    lead = byte;
    open = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    length = 1;
    // No overlong form, no half of a surrogate pair, nothing beyond the last plane.
    lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  function next(byte: number): void {
    if (open > 0) {
      if (byte >= lowest && byte <= highest) {
        lowest = 0x80;
        highest = 0xbf;
        length += 1;
        open -= 1;
        if (open > 0) return;
        sound += 1;
        length = 0;
        const isInWord = lead === LATIN_1_LETTERS && isSmall(before);
        if (isInWord) soundInWords += 1;
        endedLetter = lead === LATIN_1_LETTERS && !isInWord;
        return;
      }
      give();
    }
    if (byte < 0x80) {
      if (endedLetter && isSmall(byte)) soundInWords += 1;
      endedLetter = false;
    } else if (byte >= 0xc2 && byte <= 0xf4) begin(byte);
    else {
      endedLetter = false;
      stray += 1;
    }
  }

  return {
    add(chunk: Buffer): void {
      for (const byte of chunk) {
        if (byte >= 0x80 || open > 0 || endedLetter) next(byte);
        last = byte;
      }
    },
    /** Passes a chunk of ASCII alone. */
    pass(): void {
      if (open > 0) give();
      endedLetter = false;
      last = 0;
    },
    end() {
      const isCutAtEnd = stray === 0 && open > 0 && (sound > 0 || length > 1);
      give();
      return { sound, soundInWords, stray, isCutAtEnd };
    },
  };
}

/** The first byte of à to ÿ. */
const LATIN_1_LETTERS = 0xc3;

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

/** More different stretches would show nothing new. */
const PIECES = 500;

/** Bytes of a stretch behind its first one above ASCII, and before it. */
const LONGEST_PIECE = 120;
const LONGEST_BEFORE = 40;

function pieceCollector() {
  const pieces = new Map<string, number>();
  return {
    all: () => [...pieces].map(([text, offset]) => ({ text, offset })),
    add(chunk: Buffer, offset: number): void {
      let at = 0;
      while (at < chunk.length && pieces.size < PIECES) {
        if ((chunk[at] as number) < 0x80) {
          at += 1;
          continue;
        }
        let start = at;
        while (start > 0 && at - start < LONGEST_BEFORE && isOfPiece(chunk[start - 1] as number)) start -= 1;
        let end = at;
        while (end < chunk.length && isOfPiece(chunk[end] as number)) end += 1;
        // The end of a chunk may cut a character in half.
        const isWhole = (start > 0 || at < LONGEST_BEFORE) && end < chunk.length;
        const text = chunk.toString('latin1', start, Math.min(end, at + LONGEST_PIECE));
        if ((isWhole || pieces.size === 0) && !pieces.has(text)) pieces.set(text, offset + start);
        at = end;
      }
    },
  };
}

/** Letters and digits, and what may be the second byte of a character in the encodings of East Asia. */
function isOfPiece(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x30 && byte <= 0x39);
}
