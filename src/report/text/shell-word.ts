import { visibleText } from '../../domain/text/visible-text.js';

/**
 * The text as one word of a POSIX shell: in quotation marks where it would be taken for something else. One that begins
 * with a dash is in them too, although only the program it is given to could take it for an option: whoever reads the
 * command sees that it is a value. What doesn't show is written in numbers, so that it can be seen and copied.
 */
export function shellWord(text: string): string {
  if (visibleText(text) !== text) return `"$(printf -- '${printfFormat(text)}')"`;
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** For `printf`: a percent sign and a backslash twice, a quotation mark for the shell, the rest as octal bytes. */
function printfFormat(text: string): string {
  return Array.from(text, (character) => {
    if (character === '%' || character === '\\') return character.repeat(2);
    if (character === "'") return "'\\''";
    if (visibleText(character) === character) return character;
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  }).join('');
}
