import { once } from '../../domain/process/once.js';
import { namesOf } from '../../normalise/mapping/header-aliases.js';
import { OPERATIONS } from '../../operations/registry.js';

/** `jane@example.com` is `j…@e….com`, `Jane Doe` is `J… D…`, `00123456` is `0…56`. The same text is always masked alike. */
export function maskText(text: string): string {
  return text.replace(/\S+/g, maskWord);
}

/** Masks every e-mail address in a text, also a broken or a percent-encoded one, and leaves the rest. */
export function maskAddresses(text: string): string {
  // Nearly every text has none.
  return AT.test(text) ? text.replace(WORD, (word) => (AT.test(word) ? maskWord(word) : word)) : text;
}

/** A word of a sentence. Commas, semicolons and brackets around an address end the word. */
const WORD = /[^\s"'<>()[\]{},;:=|]+/g;

const AT = /@|%40/i;

/** The shortest identifier whose last two characters are shown, which identify no person. */
const LONG_IDENTIFIER = 6;

function maskWord(word: string): string {
  const parts = word.split(/(@|%40)/i);
  if (parts.length === 1) return maskName(word);
  const last = parts.length - 1;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return index === last ? maskDomain(part) : firstOf(part);
    })
    .join('');
}

/** Masks a domain; its last label (.com, .de) and the punctuation after it stay. */
function maskDomain(domain: string): string {
  let end = domain.length;
  while (end > 0 && SENTENCE_ENDS.includes(domain.charAt(end - 1))) end--;
  const dot = domain.lastIndexOf('.', end - 1);
  const isLabel = dot >= 0 && LAST_LABEL.test(domain.slice(dot + 1, end));
  const name = isLabel ? dot : end;
  return firstOf(domain.slice(0, name)) + domain.slice(name);
}

const SENTENCE_ENDS = '.,;:!?"\')]>';

const LAST_LABEL = /^\p{L}{2,10}$/u;

function maskName(word: string): string {
  const characters = [...word];
  const isLong = /\d/.test(word) && characters.length >= LONG_IDENTIFIER;
  return firstOf(word) + (isLong ? characters.slice(-2).join('') : '');
}

/** The first letter or digit with the characters before it. */
function firstOf(text: string): string {
  return text === '' ? '' : `${/^[^\p{L}\p{N}]*[\p{L}\p{N}]?/u.exec(text)?.[0] ?? ''}…`;
}

/**
 * Masks the sentence about a refused file. It quotes the line that should have been the header, which in a file without a
 * header is a person's row: a quoted text stays only where it is a header that Registrar knows.
 */
export function maskRefusal(sentence: string): string {
  const pieces = sentence.split('"').map((piece, index, all) => {
    const isQuoted = index % 2 === 1 && index < all.length - 1;
    // A quote within a quoted value swaps inside and outside; the text that joins two values begins with other characters.
    const isJoining = !isQuoted && (index === 0 || index === all.length - 1 || /^[\s,;:.?)]/.test(piece));
    return isJoining || knownHeaders().has(piece.toLowerCase().trim()) ? piece : maskText(piece);
  });
  return maskAddresses(pieces.join('"'));
}

const knownHeaders = once(
  () =>
    new Set(
      OPERATIONS.flatMap(({ fields }) => fields.flatMap((field) => namesOf(field).map(({ name }) => name))),
    ),
);

/** Masks a sentence of Registrar's that may quote a cell: all from its first quote to its last one, and addresses before and behind. */
export function maskQuoted(sentence: string): string {
  return maskAddresses(sentence.replace(QUOTED, maskText));
}

/** The quoted values in a sentence, which may hold quotes themselves. Where it was clipped, the last quote may be missing. */
const QUOTED = /(?<=")[\s\S]*(?="|…$)/;
