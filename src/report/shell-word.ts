/**
 * The text as one word of a POSIX shell: in quotation marks where it would be taken for something else. One that begins
 * with a dash is in them too, although only the program it is given to could take it for an option: whoever reads the
 * command sees that it is a value.
 */
export function shellWord(text: string): string {
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
