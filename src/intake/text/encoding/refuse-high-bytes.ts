import type { OperatorError } from '../../../domain/operator-error.js';
import { agreeing, countOf } from '../../../domain/text/count-of.js';
import { unreadable } from '../../unreadable.js';
import { placeAtOffset } from '../line-counter.js';
import { badWords } from './bad-words.js';
import { decodeWindows1252 } from './code-pages.js';
import { placeOfUndecodable } from './find-undecodable.js';
import { type HighBytes, surveyHighBytes } from './survey-high-bytes.js';

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
      : `the text is no UTF-8, and in Windows-1252 line ${line}, column ${column} would be "${shown(decodeWindows1252(Buffer.from(example, 'latin1')))}"`;
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
