import { decodeWindows1252 } from './code-pages.js';
import { LETTER_NEIGHBOURS } from './letter-neighbours.js';

/** The probable encodings of a text that isn't Unicode. */
export interface EncodingGuess {
  /** True when nothing in the text points to another encoding than Windows-1252. */
  readonly isWindows1252: boolean;
  /**
   * Encodings that are likelier, best first, each with the example decoded by it; empty where no encoding makes words of the
   * text.
   */
  readonly likely: readonly { readonly name: string; readonly example: string }[];
  /** The stretch of text with the clearest evidence: its index among the stretches, and its text in Windows-1252. */
  readonly example: { readonly index: number; readonly text: string };
}

/**
 * Judges by the stretches of a text with bytes above ASCII, a byte a character. Each is decoded in every encoding and checked for
 * properties of words in its languages: known neighbours of each letter, capitals at the beginning, no signs between letters. A
 * text that comes out the same in Windows-1252 is evidence for neither.
 */
export function guessEncodings(pieces: readonly string[]): EncodingGuess {
  const bytes = pieces.map((piece) => Buffer.from(piece, 'latin1'));
  const usual = judge(WINDOWS_1252, bytes);
  if (usual === null) throw new Error('Windows-1252 gives every byte a character');
  const others = CANDIDATES.flatMap((candidate) => {
    const judged = judge(candidate, bytes);
    if (judged === null) return [];
    const { texts, values, total } = judged;
    const gains = values.map((value, i) =>
      texts[i] === usual.texts[i] ? 0 : value - (usual.values[i] ?? 0),
    );
    const forIt = sum(gains) + (candidate === TURKISH && isIcelandicInPart(usual.texts) ? ENOUGH : 0);
    return [{ name: candidate.name, texts, total, gains, forIt }];
  });
  const better = others
    .filter(({ forIt, total }) => forIt > 0 && total > bytes.length * LEAST)
    .sort((one, other) => other.total - one.total || other.forIt - one.forIt);
  const [best] = better;
  const likely = better.filter(({ total }) => total >= (best?.total ?? 0) * NEARLY).slice(0, MOST_NAMES);
  const index = placeOfMost(best?.gains ?? usual.values.map((value) => -value));
  return {
    isWindows1252:
      others.every(({ forIt }) => forIt < ENOUGH) && usual.total > Math.min(-ENOUGH, -bytes.length / 2),
    likely: likely.map(({ name, texts }) => ({ name, example: (texts[index] ?? '').slice(0, SHOWN_CHARS) })),
    example: { index, text: (usual.texts[index] ?? '').slice(0, SHOWN_CHARS) },
  };
}

function placeOfMost(values: readonly number[]): number {
  return values.reduce((most, value, i) => (value > (values[most] ?? 0) ? i : most), 0);
}

/** Where Windows-1252 has the letters of Iceland alone, Windows-1254 has those of Turkey. */
function isIcelandicInPart(texts: readonly string[]): boolean {
  return (
    texts.some((text) => /\p{L}[þðÞÐ]|[þðÞÐ]\p{L}|^Ý[a-z]/u.test(text)) &&
    !texts.some((text) => /[áéíóúæ]/i.test(text))
  );
}

/**
 * Enough evidence for an encoding: a single stretch may reach it, when all its letters fit this encoding and none the other; a
 * dialect's name doesn't.
 */
const ENOUGH = 2.1;

/** A candidate is named beside the best one when its value comes this near to the best. */
const NEARLY = 0.75;
const MOST_NAMES = 3;

/** The least average value of a stretch: bytes that are no text have less in every encoding. */
const LEAST = 0.5;

/** Characters of the example that are shown. */
const SHOWN_CHARS = 40;

interface Candidate {
  readonly name: string;
  readonly decode: (bytes: Buffer) => string;
  /** The evidence of one character beyond ASCII for or against the encoding. */
  readonly judge: (text: string) => number;
}

const WESTERN = 'de fr es pt it nl da sv nb fi is ca et sq ga fo gl';
/** Windows-1252 also holds names from central Europe that need none but its letters. */
const WITH_NEIGHBOURS = `${WESTERN} cs sl hu pl tr`;
const CENTRAL = 'pl cs sk hu ro hr sl';
const CYRILLIC = 'ru uk bg sr';

const WINDOWS_1252: Candidate = {
  name: 'windows-1252',
  decode: decodeWindows1252,
  judge: wordsOf(WITH_NEIGHBOURS),
};

const TURKISH = ofLetters('windows-1254', 'tr');

const CANDIDATES: readonly Candidate[] = [
  ofLetters('windows-1250', CENTRAL),
  ofLetters('iso-8859-2', CENTRAL),
  ofLetters('windows-1251', CYRILLIC),
  ofLetters('koi8-r', 'ru bg'),
  ofLetters('ibm866', 'ru bg'),
  ofLetters('iso-8859-5', CYRILLIC),
  ofLetters('x-mac-cyrillic', CYRILLIC),
  ofLetters('windows-1253', 'el'),
  ofLetters('iso-8859-7', 'el'),
  TURKISH,
  ofLetters('windows-1257', 'lt lv et'),
  ofLetters('macintosh', WESTERN),
  ofLetters('iso-8859-15', WESTERN),
  ofScript('windows-1255', /\p{Script=Hebrew}/u),
  ofScript('windows-1256', /\p{Script=Arabic}/u),
  ofScript('windows-874', /\p{Script=Thai}/u),
  ofSigns('shift_jis', 'euc-jp', 0xb0, 0xcf),
  ofSigns('euc-jp', 'euc-jp', 0xb0, 0xcf),
  ofSigns('gb18030', 'gb18030', 0xb0, 0xd7),
  ofSigns('big5', 'big5', 0xa4, 0xc6),
  ofSigns('euc-kr', null, 0, 0),
];

function ofLetters(name: string, languages: string): Candidate {
  return { name, decode: decoder(name), judge: wordsOf(languages) };
}

function decoder(name: string): (bytes: Buffer) => string {
  return (bytes) => new TextDecoder(name).decode(bytes);
}

/** null: some of the bytes are no text in this encoding. */
function judge(candidate: Candidate, pieces: readonly Buffer[]) {
  const texts: string[] = [];
  const values: number[] = [];
  for (const bytes of pieces) {
    // A long stretch may have been cut within its last character.
    const text = candidate.decode(bytes).replace(/\ufffd$/, '');
    if (candidate !== WINDOWS_1252 && NO_TEXT.test(text)) return null;
    texts.push(text);
    values.push(candidate.judge(text));
  }
  return { texts, values, total: sum(values) };
}

/** The characters that decoders return for bytes that are no text; control characters are no text either. */
const NO_TEXT = /[\ufffd\u0080-\u009f]/;

/** Words count, not their length. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** Judges text of an alphabet, as words of the language that fits best. */
function wordsOf(languages: string): (text: string) => number {
  const known = languages.split(' ').map((language) => () => neighboursOf(language));
  return (text) => {
    const characters = [...text];
    const signs: number[] = [];
    const letters: number[] = [];
    for (const [i, character] of characters.entries()) {
      if (character <= '\x7f') continue;
      // A letter alone is no evidence: in another encoding it is the sign of a currency, a degree, a section.
      if (isLetter(character)) {
        if (isLetter(characters[i - 1] ?? ' ') || isLetter(characters[i + 1] ?? ' ')) letters.push(i);
      } else signs.push(signValue(character, characters[i - 1], characters[i + 1], characters[i + 2]));
    }
    const bad = signs.filter((value) => value !== 0);
    if (letters.length === 0) return mean(bad);
    const best = Math.max(
      ...known.map((language) => sum(letters.map((i) => letterValue(characters, i, language())))),
    );
    return (best + sum(bad)) / (letters.length + bad.length);
  };
}

/** From -3 to 2. */
function letterValue(characters: readonly string[], i: number, neighbours: Neighbours): number {
  const letter = characters[i] as string;
  const before = characters[i - 1] ?? ' ';
  const behind = characters[i + 1] ?? ' ';
  const isCapital = letter !== letter.toLowerCase();
  // A capital within a word, or a small letter within capitals: ß has none.
  const isOdd = isCapital
    ? isLetter(before) && !isCapitalLetter(before)
    : letter !== 'ß' && isCapitalLetter(before) && isCapitalLetter(behind);
  if (isOdd) return -3;
  const of = neighbours.get(letter.toLowerCase());
  if (of === undefined) return -2;
  return (of.before.includes(inWord(before)) ? 1 : -1) + (of.behind.includes(inWord(behind)) ? 1 : -1);
}

/** The small form of İ is an i and a dot of its own. */
function inWord(character: string): string {
  return isLetter(character) ? character.toLowerCase().charAt(0) : '_';
}

/** The value of a sign between letters, or before letters where no sign belongs; 0: no evidence. */
function signValue(sign: string, before = ' ', behind = ' ', next = ' '): number {
  if (UNDEFINED.test(sign)) return -3;
  if (isLetter(before) && isLetter(behind)) {
    if (JOINING.includes(sign)) return 0;
    return TYPOGRAPHIC.includes(sign) && isCapitalLetter(behind) ? 0 : -3;
  }
  if (isLetter(behind)) {
    const isWord = isLetter(next) && !isCapitalLetter(next);
    if (OPENING.includes(sign) || (UNIT.includes(sign) && !isWord)) return 0;
    return BEFORE_NAMES.includes(sign) && isCapitalLetter(behind) ? 0 : -2;
  }
  return isLetter(before) && NEVER_BEHIND.includes(sign) ? -2 : 0;
}

const UNDEFINED = /[\u0080-\u009f]/;
/** With the soft hyphen and the blank that doesn't break. */
const JOINING = '’‘–—·…\u00ad\u00a0';
const TYPOGRAPHIC = '“”„«»‹›®©™•†‡º';
const OPENING = `${JOINING}“„«‹‚”»¿¡•§`;
const BEFORE_NAMES = '©®†‡';
const UNIT = '°€£¥$¢µ±×÷ºª';
const NEVER_BEHIND = '¿¡¯¬¦¶¥£¤¼½¾';

function isLetter(character: string): boolean {
  return /[^\P{L}ºªµ]/u.test(character);
}

function isCapitalLetter(character: string): boolean {
  return character !== character.toLowerCase();
}

/** For each letter, the letters before and after it. */
type Neighbours = ReadonlyMap<string, { readonly before: string; readonly behind: string }>;

const KNOWN = new Map<string, Neighbours>();

function neighboursOf(language: string): Neighbours {
  const known = KNOWN.get(language) ?? new Map((LETTER_NEIGHBOURS[language] ?? '').split(' ').map(entry));
  KNOWN.set(language, known);
  return known;
}

function entry(text: string): [string, { readonly before: string; readonly behind: string }] {
  const [letter = '', before = '', behind = ''] = text.split(':');
  return [letter, { before, behind }];
}

/** Judges text of an alphabet whose words aren't known: all its letters belong to one script, and none is ASCII. */
function ofScript(name: string, script: RegExp): Candidate {
  const value = (character: string, before = ' ', behind = ' ') => {
    if (!script.test(character)) return isLetter(character) ? -2 : -0.5;
    if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(behind)) return -2;
    return script.test(before) || script.test(behind) ? 1.2 : 0;
  };
  return {
    name,
    decode: decoder(name),
    judge: (text) => {
      const characters = [...text];
      return mean(
        characters.flatMap((character, i) =>
          character <= '\x7f' ? [] : [value(character, characters[i - 1], characters[i + 1])],
        ),
      );
    },
  };
}

/**
 * Judges text of East Asia: syllables, and the Chinese characters that come first in the encoding's standard, which are the
 * frequent ones. @param ranked the encoding of that standard, and its first bytes of frequent characters.
 */
function ofSigns(name: string, ranked: string | null, from: number, to: number): Candidate {
  let frequent: ReadonlySet<string> | undefined;
  return {
    name,
    decode: decoder(name),
    judge: (text) => {
      frequent ??= ranked === null ? new Set() : charactersOf(ranked, from, to);
      const characters = [...text];
      const values = characters.flatMap((character, i) =>
        character <= '\x7f' ? [] : [asianValue(character, characters[i - 1], characters[i + 1], frequent)],
      );
      return values.length === 1 ? Math.min(0, ...values) : mean(values);
    },
  };
}

function asianValue(
  character: string,
  before = ' ',
  behind = ' ',
  frequent: ReadonlySet<string> = new Set(),
) {
  if (/[\uff61-\uff9f]/.test(character)) return -0.5;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u.test(character)) return 2;
  if (/\p{Script=Han}/u.test(character)) {
    const isWithinWord = /[a-z]/.test(before) || /[a-z]/.test(behind);
    return isWithinWord ? -2 : frequent.has(character) ? 1.5 : -1;
  }
  return /[\u3000-\u303f\uff01-\uff60]/.test(character) ? 0.5 : -1.5;
}

function charactersOf(encoding: string, from: number, to: number): ReadonlySet<string> {
  const codes: number[] = [];
  for (let lead = from; lead <= to; lead += 1) {
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) codes.push(lead, trail);
    if (encoding === 'big5') for (let trail = 0x40; trail <= 0x7e; trail += 1) codes.push(lead, trail);
  }
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(codes)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
