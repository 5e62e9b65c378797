import { isSeq, parseDocument } from 'yaml';
import { columnOf, endOfList, endOfValue, withLines } from './block-text.js';

/**
 * The text of a registrar.yaml with one more entry at the end of its list `sources`; every other byte stays as it is.
 * @param lines the entry, its first line beginning with `  - ` and the others with four spaces.
 * @returns null where the list is not written in block style, line by line.
 */
export function insertSource(text: string, lines: readonly string[]): string | null {
  const sources = parseDocument(text).get('sources', true);
  if (!isSeq(sources) || sources.flow || !sources.range) return null;
  const column = columnOf(text, sources.range[0]);
  const end = endOfList(text, endOfValue(sources), column);
  const own = lines.map((line) => line.slice(2));
  return withLines(text, end, own, column);
}
