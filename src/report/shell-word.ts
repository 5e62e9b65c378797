/** The text as one word of a POSIX shell: in quotation marks where it would be taken for something else. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
