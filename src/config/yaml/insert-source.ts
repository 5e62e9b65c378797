import { isSeq, parseDocument } from 'yaml';

/**
 * The text of a registrar.yaml with one more entry at the end of its list `sources`; every other byte stays as it is, which a parsed
 * document that is written again doesn't keep.
 * @param lines the entry, its first line beginning with `- ` and the others with two spaces.
 * @returns null where the list is not written in block style, line by line.
 */
export function insertSource(text: string, lines: readonly string[]): string | null {
  const sources = parseDocument(text).get('sources', true);
  if (!isSeq(sources) || sources.flow || !sources.range) return null;
  const before = text.slice(0, sources.range[0]).split('\n');
  const indent = before.at(-1) ?? '';
  const written = text.split(/\r?\n/);
  // The list goes on in lines that are indented deeper, its own comments too, and in further entries.
  const goesOn = (line: string) => /^(?: |- )/.test(line.slice(indent.length)) && line.startsWith(indent);
  let end = before.length;
  for (const [index, line] of written.entries()) {
    if (index < end || line.trim() === '') continue;
    if (!goesOn(line)) break;
    end = index + 1;
  }
  const added = lines.map((line) => `${indent}${line}`.trimEnd());
  const rest = written.slice(end);
  const all = [...written.slice(0, end), ...added, ...(rest.length === 0 ? [''] : rest)];
  return all.join(text.includes('\r\n') ? '\r\n' : '\n');
}
