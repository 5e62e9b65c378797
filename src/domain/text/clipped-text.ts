/** Shorter texts are hardly longer than the note that replaces them. */
const CLIPPED_FROM = 300;

const KEPT_CHARS = 100;

/**
 * The first row has a text whole, the others name that row. A corrected file may bring the texts back clipped.
 * @param longest a longer text is clipped in its first row too, because no cell can hold it.
 */
export function repeatClipper(longest = Number.POSITIVE_INFINITY): (text: string, row: number) => string {
  const rows = new Map<string, number>();
  return (text, row) => {
    if (text.length < CLIPPED_FROM) return text;
    if (text.length > longest) return clipped(text, row);
    const first = rows.get(text);
    if (first !== undefined) return clipped(text, first);
    if (rows.size === MAX_TEXTS) rows.clear();
    rows.set(text, row);
    return text;
  };
}

/** A hundred MB of the longest. */
const MAX_TEXTS = 1_000;

function clipped(text: string, row: number): string {
  return `${text.slice(0, KEPT_CHARS)}… [clipped: ${text.length} characters, all of them in row ${row}]`;
}

/** True for what `repeatClipper` makes of a text, whatever line ends a spreadsheet has left in it. */
export function isClippedFrom(text: string, cell: string): boolean {
  const [, start, length] = /^(.*)… \[clipped: (\d+) characters, all of them in row \d+\]$/s.exec(cell) ?? [];
  const isLong = start !== undefined && Number(length) === text.length;
  return isLong && withLineFeeds(start) === withLineFeeds(text.slice(0, KEPT_CHARS));
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
