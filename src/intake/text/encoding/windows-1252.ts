import { once } from '../../../domain/process/once.js';

/** Bytes that Windows-1252 leaves without a character. */
export const UNDEFINED_IN_WINDOWS_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d] as const;

/**
 * Text in Windows-1252 (also declared as iso-8859-1 or latin1, which the WHATWG registry reads the same way). The
 * undefined bytes become the control characters of that registry.
 */
export function decodeWindows1252(bytes: Buffer): string {
  // Several Node 20 and 22 releases read 0x80-0x9f as Latin-1 in TextDecoder('windows-1252'): “ and € are lost.
  return bytes.toString('latin1').replace(SPECIAL, (char) => HIGH[char.charCodeAt(0) - 0x80] as string);
}

const SPECIAL = /[\u0080-\u009f]/g;

/** The characters of 0x80 to 0x9f. */
const HIGH = [
  ...'\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f',
  ...'\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
];

/**
 * The stretches that make no words in Windows-1252; empty where it reads clean: hardly any of them has a letter
 * between letters that are never its neighbours, a capital within a word, or a sign where no sign belongs.
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

function inWord(character: string): string {
  return isLetter(character) ? character.toLowerCase() : '_';
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
const UNIT = '°€£¥$¢µ±×÷ºª¼½¾';
const NEVER_BEHIND = '¿¡¯¬¦¶¥£¤¼½¾';

function isLetter(character: string): boolean {
  return /[^\P{L}ºªµ]/u.test(character);
}

function isCapitalLetter(character: string): boolean {
  return character !== character.toLowerCase();
}

/** For each letter, the letters before and after it. */
type Neighbours = ReadonlyMap<string, { readonly before: string; readonly behind: string }>;

const neighboursOfLanguages = once(() =>
  Object.values(LETTER_NEIGHBOURS).map((letters) => new Map(letters.split(' ').map(entry))),
);

function entry(text: string): [string, { readonly before: string; readonly behind: string }] {
  const [letter = '', before = '', behind = ''] = text.split(':');
  return [letter, { before, behind }];
}

/**
 * By language that Windows-1252 can write, words or at least names, the letters beyond ASCII that its words are written with,
 * each with the letters before and behind it: `letter:before:behind`, with _ for the begin or the end of a word. Drawn from the
 * names that CLDR has for regions, languages, currencies, units and times (`Intl.DisplayNames` and its kin) and from words of
 * course catalogues and lists of people; what isn't here may still be a word.
 */
const LETTER_NEIGHBOURS: Readonly<Record<string, string>> = {
  de: 'ä:_bdfghjklmnprstwz:cfghilnpqrstußö ö:_bghjklmnrstwzä:cdefghilnrstßü ü:_bdfghjklmnprstwzö:_bcdfghklnrstß ß:aeiouäöü:_egilr',
  fr: 'à:_jl:_ â:_bcghmprté:bcglmqt ç:_aenré:aou è:_cdfghilmnprstuv:bcdglmnqrstvz é:_abcdfghijklmnoprstuvwyzé:_abcdegijklmnopqrstuvwzâçé ê:_fimnortu:lmt ë:aou:_l î:_abdno:lmnt ï:aeou:_abcdefglmnqrstw ô:cdhprt:lmnpt ù:o:_ û:dlmors:_lrt ü:ap:kms œ:_bcfnsv:cdinstu',
  es: 'á:_bcdfiklmnprstuvwyz:_adfghilnrstuzñ é:_abcdfiklmnoprstuvw:_acilnpqrstx í:_abcdfhlmnprstuvñü:_abcfglmnorstvñ ñ:_aeiouáíóú:aeioí ó:_bcdegilmnprstvw:bglmnprstxñ ú:_abcfghlmnprstz:_ablmnrstñ ü:gp:eikí',
  pt: 'à:_:_qs á:_bcdfghijlmnoprstuvç:_bcfglqrstuvz â:_bcdfgilmrstuvz:mn ã:bcdghijlmnoprstvç:_eo ç:aeinopruí:aoáãõú é:_abcdfghlmnoprstuvz:_cdlmnqrstuvx ê:cdgilmnorstuv:_mnsv í:_acfghilmnrstuv:abcdfglmnoprstvç ó:_bcdegilmnprstv:_cgilmnprstvx ô:_cdlmnprtv:_dmnr õ:hlmprtzç:es ú:_abehijlnprtç:_bcdlnrst',
  it: 'à:ilrt:_ è:_dfot:_ é:hmnrs:_l ì:dlrsv:_ ò:ilmnru:_ ù:bginrst:_',
  nl: 'é:_fhmrvé:_lnué ë:aeio:_eilnr ï:aeou:aenst ö:or:er ü:epu:kmn è:chr:_mn ê:ru:pt ç:a:a',
  da: 'æ:_bfgjlmnprstv:_bdfgiklnrstvø ø:_bdefghjklmnprstuvæ:_bdeijlmnrsvå å:_bdfgmprstvø:_bdeglnrs é:hmr:_lu',
  sv: 'å:_bdefghklmnprstv:_abdgklnrstä ä:_bdfghjklmnprstvå:dgklmnrstvxö ö:_abdefghjklmnrstuä:_abdghiklmnprstv é:dfhlmr:_elu',
  nb: 'æ:_fgjlnrsv:lnrstø ø:_bdefhijklmnprstuæ:_bdegikmnprstvyå å:_bfghklmnprstø:_bdgklmnprst é:hmr:_lu',
  fi: 'ä:_defhijklmnprstvyäå:_ahijklmnrstvyäö ö:_ijklnprstvyäö:_bdhiklnprstyö å:_m:blä š:_aikmtu:_aeikmotu ž:d:aip',
  is: 'á:_abfhjklmnprsð:_degklmnrstíð é:_prst:gkrtu í:_abdefghjklmnprstvxáðúþ:_abdefgklmnprstuvðóúþ ó:_abdefghjklmnprstvíúþ:_abdghiklmnprstvðþ ú:_bdefghjklmnprstíþ:_abdegjklmnprstvxíó ý:_dfklnrsþ:_ajlmnprsð ð:aefiruyáæíóý:_abehijlmnrsuváíþ þ:_efglíðó:aeijoruvæíóúý æ:_bdfglnprsvþ:_gjkmnrstvð ö:_abdfhjlmprstuv:_fgklmnrst',
  ca: 'à:_bcdefghijlmnorstuvyz:_bcfhiklmnqrstuv ç:aeinor:_aouó è:_abcdfgilmnorstuvx:_clnpqrstx é:bhmrx:_lqs í:_acdefghlmnprstuxü:_abcdfglmnoprstv ï:aeu:ns ò:_bcdefgilmnrstvwx:_blmnprstx ó:acilmpstç:_nr ú:_bdgknprs:_bilmnrst ü:gipq:eklí',
  et: 'ä:_fhjklmnptä:_bdeginrstä õ:_dgjklmnprstvõ:dghiklmnprstuvzõ ö:_krstvö:_agknopstö ü:_bhjklmnprstü:adghjklnprstü š:_aikmnrtu:aeikmotuv ž:_dlo:abeipu',
  sq: 'ë:bcdghjklmnpqrstvzç:_mnrst ç:_aeinu:_aeiuë',
  ga: 'á:bcdefghilmnprstuvú:_cdgilmnrsí é:_bcdghlmnrstv:_ailu í:_abcdhlmnprstvá:_cdglnorstv ó:_bcdfghlmnprstvú:_cghilmnrstv ú:_bcdghilnrstz:_bcdilnrtváó',
  fo: 'á:_hjlmps:glmnrsv í:_flmrstv:_gklmnrstvð ó:_bcdfhjlmprt:eklnrstð ú:nr:_o ý:bklnst:gknprstuð ð:airuíóý:_aeiuv æ:gns:ls ø:_adfhjrv:knrtv',
  gl: 'á:_dghiklmnrstuwxñ:_fghmnrst é:_abcdhlmnoprtuv:_alnrsux í:_abcdlnprtu:_abflmnosvxz ñ:aeiou:aeoá ó:bcdilmprstw:lmnrx ú:bdhlpr:_ablns ü:g:i',
  pl: 'ą:dgilstzż:_bcdgpstzż ć:_eiyęłś:_w ę:bcdijnrtwzłż:_cdgkpstć ł:_abcdegopstuwzó:_acdegmnouwyóćę ń:aeiouy:_cs ó:dgkmnprtwzłż:dgjlprwłż ś:_aeijou:_clnrwć ź:_ado:_adnr ż:_adelouóą:_abdeiklnpyóąę',
  cs: 'á:_bdeghjklmnprstuvzčďřšž:_bcdghjklmnprstvzčřš č:_beimnouvyáéíúě:_aeikntuáíš ď:_aeo:_aá é:bdfgklmnrtvz:_dlmnrstuvzčš ě:bdmnv:_hjklmnrstčř í:_bcdlmnprstvzčřšž:_abchjklnprstvzčšťž ň:_aeipů:_adsů ó:cghlrzš:dnrtw ř:_abdehikoptáě:_eiáí š:_abdefghijklmnoprtuvyzáéíčž:_aeikmopstuváíó ť:ruí:_ ú:_ahls:dnrtvzč ů:cdjkmnrstvň:_blmvňž ý:klnrstv:_cdmr ž:_adeilnoruíů:_abeinpsáíš',
  hu: 'á:_bdefghijklmnprstuvyz:bcdghjklmnprstvz é:_bdfghklmnprstvz:_bcdgklmnprstuvz í:_cdklmprstyz:_blmnrtvz ó:_abcdghijklmnrstvz:_abcdegiklmnprstz ö:_bfgjklnrtyz:degklnprsvz ő:_bdfklnrstvyz:_aghikmnrstvz ú:_ahjmprty:_djlnprsz ü:_fhjkmprstz:agklnrtvz ű:dfmrstyz:_chklrstvz',
  sl: 'č:_abeimnopruvš:_aeijlnru š:_abdefgijklmnoprtuv:_aeiklmnoprtuvč ž:_adeiloru:_aeijnpu',
  tr: 'ç:_abefhiklnopstuçüğış:_aeioruyçü ğ:aeiouöı:_abdeiloruçı i̇:_bcdfghklmnprstvyzçğş:_bcdfghklmnprstvyzçş ı:_cdghklmnrstyğş:_bcklmnprstuzçğş ö:_brsyö:_bdilmnszöğ ş:_aeiklmnoruyüı:_aeikmnotuçı ü:_bcdghklmnpstyç:_bcdklmnrsvyzçş',
};
