import { readBytes } from '../../read-bytes.js';
import { unreadable } from '../../unreadable.js';
import { findUndecodable, placeAtOffset } from '../line-counter.js';
import { refuseDamagedUtf8, refuseHighBytes } from './refuse-high-bytes.js';
import type { ByteSurvey } from './survey-bytes.js';

/** How the bytes of a text file are to be read. */
export interface TextEncoding {
  /** WHATWG name, lower case. */
  readonly name: string;
  /** Bytes of the byte-order mark to skip; 0 when there is none. */
  readonly bomBytes: number;
  /** True where neither the source nor the file gives the encoding: Windows-1252, and nothing in the text contradicts it. */
  readonly isFallback: boolean;
}

/**
 * The encoding of a text file: the declared one, else the one of the byte-order mark, else the one that the bytes prove (UTF-16,
 * UTF-8), else Windows-1252. Other encodings look alike and are never guessed: it throws where the text doesn't look like
 * Windows-1252, or is damaged UTF-8. It also throws when the bytes contradict the declaration or the mark.
 */
export async function decideEncoding(
  path: string,
  survey: ByteSurvey,
  declared: string | undefined,
): Promise<TextEncoding> {
  if (UTF_32_MARKS.some((bytes) => bytes.equals(survey.head.subarray(0, 4)))) {
    throw unreadable(path, 'the text is in UTF-32, which is not read', 'Export the file as UTF-8.');
  }
  const mark = BYTE_ORDER_MARKS.find(({ bytes }) => bytes.equals(survey.head.subarray(0, bytes.length)));
  const name = declared === undefined ? undefined : encodingName(path, declared);
  if (name !== undefined && mark !== undefined && mark.name !== name) {
    throw unreadable(
      path,
      `the file begins with the mark of ${mark.name}, but ${declared} is declared`,
      'Remove encoding: from the source, or correct it.',
    );
  }
  const encoding = name ?? mark?.name ?? (await provenEncoding(path, survey));
  if (survey.nuls.first >= 0 && !encoding.startsWith('utf-16')) await assertStrayNuls(path, survey);
  // UTF-8 is passed on unchanged, so all of it must be valid before the first row is read.
  if (encoding === 'utf-8' && !survey.validUtf8) {
    throw (await refuseDamagedUtf8(path)) ?? (await findUndecodable(path, 'utf-8'));
  }
  const isFallback = name === undefined && encoding === 'windows-1252';
  return { name: encoding, bomBytes: mark?.bytes.length ?? 0, isFallback };
}

const BYTE_ORDER_MARKS = [
  { name: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { name: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
] as const;

const UTF_32_MARKS = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])];

function encodingName(path: string, label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    throw unreadable(
      path,
      `"${label}" is not an encoding that can be read`,
      'Write encoding: with a name such as utf-8, utf-16le or windows-1252.',
      error,
    );
  }
}

async function provenEncoding(path: string, survey: ByteSurvey): Promise<string> {
  const { nuls, identity } = survey;
  if (nuls.first >= 0) {
    // In UTF-16 every Latin letter, digit, delimiter and line end has a zero byte on the same side; a few characters
    // (一, some emoji) have one on the other. Half of all characters being of the first kind is proof.
    const isProof = (one: number, other: number) => one >= identity.bytes / 4 && other <= one / 10;
    if (identity.bytes % 2 === 0 && isProof(nuls.odd, nuls.even)) return 'utf-16le';
    if (identity.bytes % 2 === 0 && isProof(nuls.even, nuls.odd)) return 'utf-16be';
    await assertFewNuls(path, survey);
  }
  if (survey.validUtf8) return 'utf-8';
  // Where only the last guess at its encoding is left, the file is probably no text.
  if (nuls.first >= 0) await refuseNuls(path, nuls, "the text isn't UTF-8, and a byte of it is zero");
  const refusal = await refuseHighBytes(path, survey.notWindows1252);
  if (refusal !== null) throw refusal;
  return 'windows-1252';
}

/** A zero byte here and there is one cell's damage. Many are another encoding, another kind of file or a hole in it. */
async function assertFewNuls(path: string, { nuls, identity }: ByteSurvey): Promise<void> {
  const count = nuls.even + nuls.odd;
  if (count <= Math.max(1, identity.bytes / BYTES_PER_NUL)) return;
  await refuseNuls(path, nuls, `${count} bytes are zero, the first`);
}

/** A few zero bytes are one cell's damage only in what is a text otherwise: not with other control characters. */
async function assertStrayNuls(path: string, survey: ByteSurvey): Promise<void> {
  await assertFewNuls(path, survey);
  for await (const chunk of readBytes(path)) {
    if (!CONTROL.test(chunk.toString('latin1'))) continue;
    await refuseNuls(path, survey.nuls, 'there are control characters, and a byte that is zero');
  }
}

/** Control characters but the zero byte and those that are white space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const CONTROL = /[\x01-\x08\x0e-\x1f\x7f]/;

async function refuseNuls(path: string, nuls: ByteSurvey['nuls'], what: string): Promise<never> {
  const { line, column } = await placeAtOffset(path, nuls.first);
  throw unreadable(
    path,
    `${what} on line ${line}, column ${column}; no text has them`,
    'The file is damaged or no text; export it again as CSV or XLSX.',
  );
}

/**
 * Text has far fewer zero bytes than UTF-16, which has one at each line end, delimiter and digit, and than files that are no
 * text. When one zero byte in twenty was allowed, such files were read as tables.
 */
const BYTES_PER_NUL = 200;
