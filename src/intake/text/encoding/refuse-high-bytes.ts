import { isAscii } from 'node:buffer';
import type { OperatorError } from '../../../domain/operator-error.js';
import { agreeing, countOf } from '../../../domain/text/count-of.js';
import { readBytes } from '../../read-bytes.js';
import { unreadable } from '../../unreadable.js';
import { placeAtOffset, placeOfUndecodable } from '../line-counter.js';
import { badWords, decodeWindows1252 } from './windows-1252.js';

/**
 * Why a text that isn't valid UTF-8 can't be read as Windows-1252 without guessing; null when it can: it is UTF-8 with
 * damage, or its bytes make no words in Windows-1252.
 * @param undefinedAt offset of the first byte that Windows-1252 gives no meaning; -1 when there is none.
 */
export async function refuseHighBytes(path: string, undefinedAt: number): Promise<OperatorError | null> {
  const high = await surveyHighBytes(path);
  if (high.sound > 0 && high.sound >= high.stray) return damaged(path, high);
  const pieces = [...high.pieces.keys()];
  const bad = badWords(pieces);
  const example = bad[0] ?? pieces[0] ?? '';
  const offset = undefinedAt >= 0 ? undefinedAt : high.pieces.get(bad[0] ?? '');
  if (offset === undefined) return high.soundInWords > 0 ? damaged(path, high) : null;
  const { line, column } = await placeAtOffset(path, offset);
  const why =
    undefinedAt >= 0
      ? `the text is neither UTF-8 nor Windows-1252 (first seen on line ${line}, column ${column})`
      : `the text isn't UTF-8, and in Windows-1252 line ${line}, column ${column} would be "${shown(decodeWindows1252(Buffer.from(example, 'latin1')))}"`;
  return unreadable(path, `the encoding is unknown: ${why}`, await remedy(pieces, example));
}

/** The refusal for a text that is declared or marked as UTF-8 and has damage; null when little in it is UTF-8. */
export async function refuseDamagedUtf8(path: string): Promise<OperatorError | null> {
  const high = await surveyHighBytes(path);
  return high.sound > 0 && high.sound >= high.stray ? damaged(path, high) : null;
}

/** In text of another encoding, bytes hardly ever form characters of UTF-8 by chance. */
async function damaged(path: string, { sound }: HighBytes): Promise<OperatorError> {
  const { line, column } = await placeOfUndecodable(path, 'utf-8');
  return unreadable(
    path,
    `the text is UTF-8 with damage: line ${line}, column ${column} is not text in utf-8, while ${countOf(sound, 'character')} beyond ASCII ${agreeing(sound, 'is', 'are')} sound`,
    'Export the file again as UTF-8, or copy it again where it was cut off.',
  );
}

/** Characters of an example that are shown. */
const SHOWN_CHARS = 40;

function shown(text: string): string {
  return text.slice(0, SHOWN_CHARS);
}

/** Encodings that the text may be in, each with the example decoded by it. */
async function remedy(pieces: readonly string[], example: string): Promise<string> {
  const { analyse } = await import('chardet');
  const names = analyse(Buffer.from(pieces.join(' '), 'latin1')).flatMap(({ name, confidence }) => {
    const decoder = confidence > GUESS ? decoderOf(name) : null;
    return decoder === null || decoder.encoding === 'windows-1252' ? [] : [decoder];
  });
  const likely = names.slice(0, MAX_NAMED).map((decoder) => {
    const text = decoder.decode(Buffer.from(example, 'latin1'));
    return `encoding: ${decoder.encoding} (then it is "${shown(text)}")`;
  });
  if (likely.length === 0) {
    return 'Declare the encoding of the source, such as encoding: iso-8859-2, or export the file as UTF-8.';
  }
  return `Declare the encoding of the source, perhaps ${likely.join(', or ')}; encoding: windows-1252 where it is that; or export the file as UTF-8.`;
}

const MAX_NAMED = 3;

/** chardet has this much confidence in an encoding of East Asia that any bytes may be. */
const GUESS = 10;

/** null: no decoder has it. */
function decoderOf(name: string) {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

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
