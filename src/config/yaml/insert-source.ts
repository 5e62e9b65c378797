import { isCollection, isPair, isScalar, isSeq, parseDocument } from 'yaml';

/**
 * The text of a registrar.yaml with one more entry at the end of its list `sources`; every other byte stays as it is.
 * @param lines the entry, its first line beginning with `  - ` and the others with four spaces.
 * @returns null where the list is not written in block style, line by line.
 */
export function insertSource(text: string, lines: readonly string[]): string | null {
  const sources = parseDocument(text).get('sources', true);
  if (!isSeq(sources) || sources.flow || !sources.range) return null;
  const column = columnOf(text, sources.range[0]);
  const indented = lines.map((line) => `${' '.repeat(column)}${line.slice(2)}`.trimEnd());
  const end = endOfList(text, endOfValue(sources), column);
  const before = text.slice(0, end);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${gap}${indented.join(lineEnd)}${lineEnd}${text.slice(end)}`;
}

/** The offset where the last value of a list ends; the value's own range extends to the next token that is no comment. */
function endOfValue(node: unknown): number {
  if (isCollection(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1);
    if (!isPair(last)) return endOfValue(last);
    const hasValue = isCollection(last.value) || (isScalar(last.value) && last.value.source !== '');
    return endOfValue(hasValue ? last.value : last.key);
  }
  return (node as { range?: readonly number[] | null } | null)?.range?.[1] ?? 0;
}

/** The distance of an offset from the beginning of its line. */
function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/**
 * The offset after the last line of the list and after comments indented deeper than its entries: they belong to the last entry.
 */
function endOfList(text: string, from: number, column: number): number {
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
