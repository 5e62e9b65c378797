import { isAscii } from 'node:buffer';
import type { OperatorError } from '../../../domain/operator-error.js';
import { agreeing, countOf } from '../../../domain/text/count-of.js';
import { readBytes } from '../../read-bytes.js';
import { unreadable } from '../../unreadable.js';
import { findUndecodable, placeAtOffset, placeOfUndecodable } from '../line-counter.js';
import type { ByteSurvey } from './survey-bytes.js';
import { badWords, decodeWindows1252 } from './windows-1252.js';

export interface TextEncoding {
  /** WHATWG name, lower case. */
  readonly name: string;
  /** Bytes of the byte-order mark to skip; 0 when there is none. */
  readonly bomBytes: number;
  /** True where neither the source nor the file gives the encoding: Windows-1252, and nothing in the text contradicts it. */
  readonly isFallback: boolean;
}

/**
 * The declared encoding, else that of the byte-order mark, else the one that the bytes prove (UTF-16, UTF-8), else Windows-1252.
 * Throws where the text doesn't look like it: other encodings look alike and are never guessed.
 */
export async function decideEncoding(
  path: string,
  survey: ByteSurvey,
  declared: string | undefined,
): Promise<TextEncoding> {
  if (UTF_32_MARKS.some((bytes) => bytes.equals(survey.head.subarray(0, 4))))
    throw unreadable(path, 'utf-32');
  const mark = BYTE_ORDER_MARKS.find(({ bytes }) => bytes.equals(survey.head.subarray(0, bytes.length)));
  const name = declared === undefined ? undefined : new TextDecoder(declared).encoding;
  if (name !== undefined && mark !== undefined && mark.name !== name)
    throw unreadable(path, 'other-mark', { mark: mark.name, declared: String(declared) });
  const certain = name ?? mark?.name ?? provenUtf16(survey);
  // No text, database or page may hold that character.
  if (survey.nuls.first >= 0 && !certain?.startsWith('utf-16'))
    throw unreadable(path, 'zero-byte', await placeAtOffset(path, survey.nuls.first));
  const isFallback = certain === undefined && !survey.validUtf8;
  const refusal = isFallback ? await refuseHighBytes(path) : null;
  if (refusal !== null) throw refusal;
  const encoding = certain ?? (isFallback ? 'windows-1252' : 'utf-8');
  // UTF-8 is passed on unchanged, so all of it must be valid before the first row is read.
  if (encoding === 'utf-8' && !survey.validUtf8) {
    const high = await surveyHighBytes(path);
    throw isMostlyUtf8(high) ? await damaged(path, high) : await findUndecodable(path, 'utf-8');
  }
  return { name: encoding, bomBytes: mark?.bytes.length ?? 0, isFallback };
}

const BYTE_ORDER_MARKS = [
  { name: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { name: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
] as const;

const UTF_32_MARKS = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])];

/** In UTF-16 every Latin letter, digit and line end has a zero byte on the same side, and few characters on the other. */
function provenUtf16({ nuls, identity }: ByteSurvey): string | undefined {
  const isProof = (one: number, other: number) => one >= identity.bytes / 4 && other <= one / 10;
  if (nuls.first < 0 || identity.bytes % 2 !== 0) return undefined;
  if (isProof(nuls.odd, nuls.even)) return 'utf-16le';
  return isProof(nuls.even, nuls.odd) ? 'utf-16be' : undefined;
}

/** The text of a file without its byte-order mark, in pieces. Throws for a byte that is no text. */
export async function* decodeText(path: string, { name, bomBytes }: TextEncoding): AsyncGenerator<string> {
  // The mark has been skipped: one that follows is text.
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of readBytes(path, bomBytes)) {
      if (name === 'windows-1252') yield decodeWindows1252(chunk);
      // `decideEncoding` has proven that a file in UTF-8 is valid: what follows half a character isn't ASCII.
      else if (name === 'utf-8' && isAscii(chunk)) yield chunk.toString('latin1');
      else {
        const text = decoder.decode(chunk, { stream: true });
        // Only UTF-16 still has them here; `findUndecodable` finds their place.
        if (text.includes('\0')) throw new TypeError('a NUL character');
        yield text;
      }
    }
    yield decoder.decode();
  } catch (error) {
    // A decoder refuses bytes with a TypeError; any other error is the disk's.
    throw error instanceof TypeError ? await findUndecodable(path, name) : error;
  }
}

/**
 * Why a text that isn't valid UTF-8 can't be read as Windows-1252: it is UTF-8 with damage, or its bytes make no words. null: it can.
 */
async function refuseHighBytes(path: string): Promise<OperatorError | null> {
  const high = await surveyHighBytes(path);
  if (isMostlyUtf8(high)) return damaged(path, high);
  const pieces = [...high.pieces.keys()];
  const bad = badWords(pieces);
  const example = bad[0] ?? pieces[0] ?? '';
  const offset = high.undefinedAt ?? high.pieces.get(bad[0] ?? '');
  if (offset === undefined) return high.soundInWords > 0 ? damaged(path, high) : null;
  const { line, column } = await placeAtOffset(path, offset);
  const why =
    high.undefinedAt !== null
      ? `the text is neither UTF-8 nor Windows-1252 (first seen on line ${line}, column ${column})`
      : `the text isn't UTF-8, and in Windows-1252 line ${line}, column ${column} would be "${shown(decodeWindows1252(Buffer.from(example, 'latin1')))}"`;
  return unreadable(path, 'encoding-unknown', { why, remedy: await remedy(pieces, example) });
}

/** In text of another encoding, bytes hardly ever form characters of UTF-8 by chance. */
function isMostlyUtf8({ sound, stray }: HighBytes): boolean {
  return sound > 0 && sound >= stray;
}

async function damaged(path: string, { sound }: HighBytes): Promise<OperatorError> {
  return unreadable(path, 'utf-8-damaged', {
    ...(await placeOfUndecodable(path, 'utf-8')),
    sound: `${countOf(sound, 'character')} beyond ASCII ${agreeing(sound, 'is', 'are')}`,
  });
}

const SHOWN_CHARS = 40;

function shown(text: string): string {
  return text.slice(0, SHOWN_CHARS);
}

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
  return `Declare the encoding of the source, perhaps ${likely.join(', or ')}; or encoding: windows-1252 if that is right; or export the file as UTF-8.`;
}

const MAX_NAMED = 3;

/** chardet has this much confidence in an encoding of East Asia that any bytes may be. */
const GUESS = 10;

function decoderOf(name: string) {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

/** The evidence of the bytes above ASCII in a text that isn't valid UTF-8. */
interface HighBytes {
  /** Characters of several bytes as UTF-8 writes them. */
  readonly sound: number;
  /** Letters of Latin-1 among them beside a small letter of ASCII: text in another encoding hardly ever has one. */
  readonly soundInWords: number;
  /** Places with bytes that belong to no such character. */
  readonly stray: number;
  /** The first different stretches of text with such bytes, a byte a character, and where each begins in the file. */
  readonly pieces: ReadonlyMap<string, number>;
  /** Offset of the first byte that Windows-1252 gives no meaning; null: there is none. */
  readonly undefinedAt: number | null;
}

export async function surveyHighBytes(path: string): Promise<HighBytes> {
  const decoder = new TextDecoder();
  const pieces = new Map<string, number>();
  const counts = { sound: 0, soundInWords: 0, stray: 0 };
  let offset = 0;
  let undefinedAt: number | null = null;
  for await (const chunk of readBytes(path)) {
    const text = decoder.decode(chunk, { stream: true });
    counts.sound += count(text, /[^\0-\x7f\ufffd]/gu);
    counts.soundInWords += count(text, /[a-z][\xc0-\xff]|[\xc0-\xff][a-z]/g);
    counts.stray += count(text, /\ufffd/g);
    if (pieces.size < MAX_PIECES && !isAscii(chunk)) addPieces(pieces, chunk, offset);
    const at = UNDEFINED.exec(chunk.toString('latin1'))?.index;
    if (at !== undefined) undefinedAt ??= offset + at;
    offset += chunk.length;
  }
  return { ...counts, stray: counts.stray + decoder.decode().length, pieces, undefinedAt };
}

function count(text: string, expression: RegExp): number {
  return text.match(expression)?.length ?? 0;
}

/** Bytes that Windows-1252 leaves without a character. */
const UNDEFINED = /[\x81\x8d\x8f\x90\x9d]/;

const MAX_PIECES = 500;

const LONGEST_PIECE = 120;
const LONGEST_BEFORE = 40;

const WORD = /[@-~\d\x80-\xff]+/g;

function addPieces(pieces: Map<string, number>, chunk: Buffer, offset: number): void {
  for (const { 0: word, index } of chunk.toString('latin1').matchAll(WORD)) {
    const high = word.search(/[\x80-\xff]/);
    // The ends of a chunk may cut a character in half.
    const isCut = index === 0 || index + word.length === chunk.length;
    if (high < 0 || (isCut && pieces.size > 0)) continue;
    const start = Math.max(0, high - LONGEST_BEFORE);
    const text = word.slice(start, high + LONGEST_PIECE);
    if (!pieces.has(text)) pieces.set(text, offset + index + start);
    if (pieces.size === MAX_PIECES) return;
  }
}
