import { isCollection, isPair, isScalar } from 'yaml';

/** Puts lines, indented to this column, in at an offset where a line begins or the text ends; with the line ends that the text has. */
export function withLines(text: string, at: number, lines: readonly string[], column: number): string {
  const before = text.slice(0, at);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const indented = lines.map((line) => `${' '.repeat(column)}${line}`.trimEnd());
  return `${before}${gap}${indented.join(lineEnd)}${lineEnd}${text.slice(at)}`;
}

/** The offset where the last value of a list or map ends; the value's own range extends to the next token that is no comment. */
export function endOfValue(node: unknown): number {
  if (isCollection(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1);
    if (!isPair(last)) return endOfValue(last);
    const hasValue = isCollection(last.value) || (isScalar(last.value) && last.value.source !== '');
    return endOfValue(hasValue ? last.value : last.key);
  }
  return (node as { range?: readonly number[] | null } | null)?.range?.[1] ?? 0;
}

/** The distance of an offset from the beginning of its line. */
export function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/**
 * The offset after the last line of a list or map that ends at `from`, and after comments indented deeper than its entries, which
 * stand in this column: they belong to the last entry.
 */
export function endOfList(text: string, from: number, column: number): number {
  const isLineStart = from === 0 || text[from - 1] === '\n';
  let end = isLineStart ? from : lineAfter(text, from);
  for (;;) {
    const next = lineAfter(text, end);
    const line = text.slice(end, next);
    const isDeeper = line.length - line.trimStart().length > column;
    if (!(isDeeper && line.trimStart().startsWith('#'))) return end;
    end = next;
  }
}

function lineAfter(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}
