import { visibleText } from '../../domain/text/visible-text.js';

const GAP = 2;

/**
 * Columns padded to their widest cell, two spaces between; numbers to the right.
 * @param columns how wide a line may be; null: any width. In a wider table texts wrap between words. No word is ever cut, because
 *   it may be an address, a path or an option.
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  columns: number | null = null,
): string {
  const isNumeric = header.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const lines = [header, ...rows].map((row) =>
    header.map((_, column) => visibleText(String(row[column] ?? ''))),
  );
  const widths = widthsOf(lines, (text) => text.length);
  const longestWord = (text: string) => Math.max(...text.split(' ').map((word) => word.length));
  const fitting = columns === null ? widths : fittingWidths(widths, widthsOf(lines, longestWord), columns);
  return lines.map((cells) => lineOf(cells, fitting, isNumeric)).join('\n');
}

function widthsOf(lines: readonly (readonly string[])[], measure: (text: string) => number): number[] {
  return (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, measure(cells[column] ?? '')), 0),
  );
}

/** Widths that fit, shortened from the widest column on, as far as the longest words allow. */
function fittingWidths(
  widths: readonly number[],
  least: readonly number[],
  columns: number,
): readonly number[] {
  const fitting = [...widths];
  const gaps = GAP * (widths.length - 1);
  for (;;) {
    const over = fitting.reduce((sum, width) => sum + width, gaps) - columns;
    const slack = fitting.map((width, column) => width - (least[column] ?? 0));
    const widest = fitting.reduce(
      (best, width, column) => ((slack[column] ?? 0) > 0 && width > (fitting[best] ?? 0) ? column : best),
      slack.findIndex((room) => room > 0),
    );
    if (over <= 0 || widest < 0) return fitting;
    fitting[widest] = (fitting[widest] ?? 0) - 1;
  }
}

function lineOf(cells: readonly string[], widths: readonly number[], isNumeric: readonly boolean[]): string {
  const wrapped = cells.map((cell, column) => wordsWithin(cell, widths[column] ?? 0));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((parts, column) => {
        const part = parts[line] ?? '';
        const width = widths[column] ?? 0;
        return isNumeric[column] ? part.padStart(width) : part.padEnd(width);
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  ).join('\n');
}

/** The text in lines of at most `width` characters, except for longer words. */
export function wordsWithin(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The most characters of a line that is cut to fit a terminal, before its ellipsis. */
export const CUT_LINE = 79;

/** The text up to `length` characters, with an ellipsis where it was longer. No character is cut in two. */
export function clip(text: string, length: number): string {
  const characters = text.length > length ? [...text] : [];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
