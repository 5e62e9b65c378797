/**
 * A personal text as somebody who knows the row recognises it and nobody else: `jane@example.com` is `j…@e….com`,
 * `Jane Doe` is `J… D…`, `00123456` is `0…56`. The same text is always masked alike.
 */
export function maskText(text: string): string {
  return text.replace(/\S+/g, maskWord);
}

/** Masks every e-mail address in a text, also a broken or a percent-encoded one, and leaves the rest. */
export function maskAddresses(text: string): string {
  return text.replace(ADDRESS, maskWord);
}

/** Masks in `text` whatever it repeats of the given personal texts, whatever their case, and every address. */
export function maskMentions(text: string, personal: readonly string[]): string {
  const mentions = personal
    .map((value) => value.trim())
    .filter((value) => value !== '')
    // A longer one first: the address before the name that it begins with.
    .sort((a, b) => b.length - a.length)
    .map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'));
  if (mentions.length === 0) return maskAddresses(text);
  const anyMention = new RegExp(`(?<![\\p{L}\\p{N}])(?:${mentions.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return maskAddresses(text.replace(anyMention, maskText));
}

/** Anything around an @ that a sentence wouldn't have around it; commas, semicolons and brackets end it. */
const ADDRESS = /[^\s"'<>()[\]{},;:=|]+(?:@|%40)[^\s"'<>()[\]{},;:=|]*|@[^\s"'<>()[\]{},;:=|]+/gi;

/** Of an identifier so long, its last two characters tell it from its neighbours and give nobody away. */
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

/** The last label stays (.com, .de), and what ends the sentence. */
function maskDomain(domain: string): string {
  const [, name = '', ending = ''] = /^(.*?)((?:\.\p{L}{2,10})?[.,;:!?"')\]>]*)$/u.exec(domain) ?? [];
  return firstOf(name) + ending;
}

function maskName(word: string): string {
  if (MASKED_LONG.test(word)) return word;
  const characters = [...word];
  const isLong = /\d/.test(word) && characters.length >= LONG_IDENTIFIER;
  return firstOf(word) + (isLong ? characters.slice(-2).join('') : '');
}

/** The first letter or digit with what stands before it. Masking what is masked changes nothing. */
function firstOf(text: string): string {
  if (text === '' || MASKED.test(text)) return text;
  return `${/^[^\p{L}\p{N}]*[\p{L}\p{N}]?/u.exec(text)?.[0] ?? ''}…`;
}

const MASKED_LONG = /^[^\p{L}\p{N}]*[\p{L}\p{N}]?…..$/u;

const MASKED = /^[^\p{L}\p{N}]*[\p{L}\p{N}]?…$/u;
