import type { OperatorError } from '../../../domain/operator-error.js';
import { agreeing, countOf } from '../../../domain/text/count-of.js';
import { unreadable } from '../../unreadable.js';
import { placeAtOffset } from '../line-counter.js';
import { placeOfUndecodable } from './find-undecodable.js';
import { type EncodingGuess, guessEncodings } from './guess-encodings.js';
import { type HighBytes, surveyHighBytes } from './survey-high-bytes.js';

/**
 * Why a text that isn't valid UTF-8 can't be read as Windows-1252 without guessing; null when it can: it is UTF-8 with
 * damage, or its bytes make no words in Windows-1252.
 * @param undefinedAt offset of the first byte that Windows-1252 gives no meaning; -1 when there is none.
 */
export async function refuseHighBytes(path: string, undefinedAt: number): Promise<OperatorError | null> {
  const high = await surveyHighBytes(path);
  if (isDamagedUtf8(high)) return damaged(path, high);
  const guess = guessEncodings(high.pieces.map(({ text }) => text));
  if (undefinedAt >= 0) {
    const { line, column } = await placeAtOffset(path, undefinedAt);
    return unreadable(
      path,
      `the encoding is unknown: the text is neither UTF-8 nor Windows-1252 (first seen on line ${line}, column ${column})`,
      remedy(guess),
    );
  }
  if (!guess.isWindows1252) {
    const { line, column } = await placeAtOffset(path, high.pieces[guess.example.index]?.offset ?? 0);
    return unreadable(
      path,
      `the encoding is unknown: the text is no UTF-8, and in Windows-1252 line ${line}, column ${column} would be "${guess.example.text}"`,
      `${remedy(guess)} If that is what it should be, declare encoding: windows-1252.`,
    );
  }
  return high.soundInWords > 0 ? mixed(path, high) : null;
}

/** The refusal for a text that is declared or marked as UTF-8 and has damage; null when little in it is UTF-8. */
export async function refuseDamagedUtf8(path: string): Promise<OperatorError | null> {
  const high = await surveyHighBytes(path);
  return isDamagedUtf8(high) ? damaged(path, high) : null;
}

/** In text of another encoding, bytes hardly ever form characters of UTF-8 by chance. */
function isDamagedUtf8({ sound, stray, isCutAtEnd }: HighBytes): boolean {
  return isCutAtEnd || (sound > 0 && sound >= stray);
}

async function damaged(path: string, { sound, stray, isCutAtEnd }: HighBytes): Promise<OperatorError> {
  const { line, column } = await placeOfUndecodable(path, 'utf-8');
  const place = `line ${line}, column ${column}`;
  if (isCutAtEnd) {
    return unreadable(
      path,
      `the file ends within a character, on ${place}: it was probably cut off while it was copied`,
      'Copy or export it again.',
    );
  }
  const others = stray === 1 ? '' : `; it is damaged in ${stray} places`;
  return unreadable(
    path,
    `the text is UTF-8 with damage: ${place} is not text in utf-8, while ${countOf(sound, 'character')} beyond ASCII ${agreeing(sound, 'is', 'are')} sound${others}`,
    'Export the file again as UTF-8, or correct it there.',
  );
}

async function mixed(path: string, { sound, stray }: HighBytes): Promise<OperatorError> {
  const { line, column } = await placeOfUndecodable(path, 'utf-8');
  return unreadable(
    path,
    `the text is in two encodings: ${countOf(sound, 'character')} beyond ASCII ${agreeing(sound, 'is', 'are')} UTF-8, and in ${countOf(stray, 'place')} it is not (first seen on line ${line}, column ${column})`,
    'Export the file anew as UTF-8.',
  );
}

function remedy({ likely: [best, ...others] }: EncodingGuess): string {
  if (best === undefined) {
    return 'Declare the encoding of the source, such as encoding: iso-8859-2, or export the file as UTF-8.';
  }
  const rest = others.map(({ name, example: text }) => `, or encoding: ${name} ("${text}")`).join('');
  return `Declare the encoding of the source, probably encoding: ${best.name} (then it is "${best.example}")${rest}; or export the file as UTF-8.`;
}
