import { dataFile } from '../../../config/values/data-file.js';
import { once } from '../../../domain/process/once.js';

/** Text in Windows-1252, also declared as iso-8859-1 or latin1. Undefined bytes become the control characters of the WHATWG registry. */
export function decodeWindows1252(bytes: Buffer): string {
  // Several Node 20 and 22 releases read 0x80-0x9f as Latin-1 in TextDecoder('windows-1252'): “ and € are lost.
  return bytes.toString('latin1').replace(SPECIAL, (char) => HIGH[char.charCodeAt(0) - 0x80] as string);
}

const SPECIAL = /[\u0080-\u009f]/g;

const HIGH = [
  ...'\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f',
  ...'\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
];

/**
 * The stretches that make no words in Windows-1252; empty where hardly any has a letter between letters that are never its neighbours, a
 * capital within a word, or a sign where no sign belongs.
 * @param pieces stretches of a text with bytes above ASCII, a byte a character.
 */
export function badWords(pieces: readonly string[]): readonly string[] {
  const texts = pieces.map((piece) => decodeWindows1252(Buffer.from(piece, 'latin1')));
  // Where Windows-1252 has the letters of Iceland alone, Windows-1254 has those of Turkey.
  const isIcelandic = texts.some((text) => /[áéíóúæ]|[bdfghjklmnprstv]ð/i.test(text));
  const bad = pieces.filter((_, i) => {
    const text = texts[i] ?? '';
    return wordValue(text) < 0 || (!isIcelandic && ICELANDIC.test(text));
  });
  return bad.length * CLEAN_OF >= pieces.length ? bad : [];
}

/** A text reads clean where fewer than one in so many of its different words are odd: names are. */
const CLEAN_OF = 20;

const ICELANDIC = /\p{L}[þðÞÐ]|[þðÞÐ]\p{L}|^Ý[a-z]/u;

/** The evidence of all characters beyond ASCII for words of the language that fits best; below 0: no words. */
function wordValue(text: string): number {
  const characters = [...text];
  const letters: number[] = [];
  let signs = 0;
  for (const [i, character] of characters.entries()) {
    // Programs write the byte ff where they mean none at all.
    if (character <= '\x7f' || character === 'ÿ') continue;
    // A letter alone is no evidence: in another encoding it is the sign of a currency, a degree, a section.
    if (isLetter(character)) {
      if (isLetter(characters[i - 1] ?? ' ') || isLetter(characters[i + 1] ?? ' ')) letters.push(i);
    } else signs += signValue(character, characters[i - 1], characters[i + 1], characters[i + 2]);
  }
  const ofLanguages = neighboursOfLanguages().map((language) =>
    letters.reduce((sum, i) => sum + letterValue(characters, i, language), 0),
  );
  return signs + Math.max(...ofLanguages);
}

/** From -3 to 2. */
function letterValue(characters: readonly string[], i: number, neighbours: Neighbours): number {
  const letter = characters[i] as string;
  const before = characters[i - 1] ?? ' ';
  const after = characters[i + 1] ?? ' ';
  const isCapital = letter !== letter.toLowerCase();
  // A capital within a word, or a small letter within capitals: ß has none.
  const isOdd = isCapital
    ? isLetter(before) && !isCapitalLetter(before)
    : letter !== 'ß' && isCapitalLetter(before) && isCapitalLetter(after);
  if (isOdd) return -3;
  const of = neighbours.get(letter.toLowerCase());
  if (of === undefined) return -2;
  return (of.before.includes(inWord(before)) ? 1 : -1) + (of.after.includes(inWord(after)) ? 1 : -1);
}

function inWord(character: string): string {
  return isLetter(character) ? character.toLowerCase() : '_';
}

/** The value of a sign between letters, or before letters where no sign belongs; 0: no evidence. */
function signValue(sign: string, before = ' ', after = ' ', next = ' '): number {
  if (UNDEFINED.test(sign)) return -3;
  if (isLetter(before) && isLetter(after)) {
    if (JOINING.includes(sign)) return 0;
    return TYPOGRAPHIC.includes(sign) && isCapitalLetter(after) ? 0 : -3;
  }
  if (isLetter(after)) {
    const isWord = isLetter(next) && !isCapitalLetter(next);
    if (OPENING.includes(sign) || (UNIT.includes(sign) && !isWord)) return 0;
    return BEFORE_NAMES.includes(sign) && isCapitalLetter(after) ? 0 : -2;
  }
  return isLetter(before) && NEVER_AFTER.includes(sign) ? -2 : 0;
}

const UNDEFINED = /[\u0080-\u009f]/;
/** With the soft hyphen and the blank that doesn't break. */
const JOINING = '’‘–—·…\u00ad\u00a0';
const TYPOGRAPHIC = '“”„«»‹›®©™•†‡º';
const OPENING = `${JOINING}“„«‹‚”»¿¡•§`;
const BEFORE_NAMES = '©®†‡';
const UNIT = '°€£¥$¢µ±×÷ºª¼½¾';
const NEVER_AFTER = '¿¡¯¬¦¶¥£¤¼½¾';

function isLetter(character: string): boolean {
  return /[^\P{L}ºªµ]/u.test(character);
}

function isCapitalLetter(character: string): boolean {
  return character !== character.toLowerCase();
}

/** By language, the letters of its words with their neighbours; data/letters.yaml says how they are written. */
const letters = dataFile<Readonly<Record<string, string>>>('letters');

/** For each letter, the letters before and after it. */
type Neighbours = ReadonlyMap<string, { readonly before: string; readonly after: string }>;

const neighboursOfLanguages = once(() =>
  Object.values(letters()).map((ofLanguage): Neighbours => {
    const entries = ofLanguage.split(' ').map((entry) => entry.split(':'));
    return new Map(entries.map(([letter = '', before = '', after = '']) => [letter, { before, after }]));
  }),
);
