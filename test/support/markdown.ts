import { readFileSync } from 'node:fs';

/** The text of a document, by its path from the top of the repository. */
export function document(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The text under a heading, up to the next one of any level. Throws where there is no such heading. */
export function section(text: string, heading: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`no heading "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** All tables under a heading, as they are written. */
export function tables(text: string, heading: string): string[] {
  return section(text, heading).match(/^\|.*(?:\n\|.*)*/gm) ?? [];
}

/** The first of them. Throws where there is none. */
export function table(text: string, heading: string): string {
  const [found] = tables(text, heading);
  if (found === undefined) throw new Error(`no table under "${heading}"`);
  return found;
}

/** The cells of a table's rows below its header; a code span's marks and an escaped bar's backslash are taken off. */
export function cells(tableText: string): string[][] {
  return tableText
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) =>
          cell
            .trim()
            .replaceAll('\\|', '|')
            .replace(/^`([^`]*)`$/, '$1'),
        ),
    );
}

/**
 * The names that are twice in the first column of one table, with the line of the second: a cell that lists several names in code
 * spans counts for each of them. An empty cell goes on with the row above.
 */
export function namedTwice(text: string): string[] {
  const found: string[] = [];
  let seen = new Set<string>();
  for (const [index, line] of withoutFences(text).split('\n').entries()) {
    if (!line.startsWith('|')) seen = new Set();
    const [cell = ''] = line.slice(1).split(/(?<!\\)\|/);
    for (const name of namesIn(cell.trim())) {
      if (seen.has(name)) found.push(`line ${index + 1}: ${name}`);
      seen.add(name);
    }
  }
  return found;
}

function namesIn(cell: string): string[] {
  if (cell === '' || /^:?-+:?$/.test(cell)) return [];
  const isList = /^`[^`]+`(?:(?:,| and|, and) `[^`]+`)*$/.test(cell);
  return isList ? (cell.match(/`[^`]+`/g) ?? []) : [cell];
}

/** The same number of lines, those of code blocks empty. */
function withoutFences(text: string): string {
  return text.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]+/g, ''));
}

/** What links can point to: every heading in the form that GitHub gives its anchor. */
export function anchors(text: string): string[] {
  return [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The code blocks of a language. */
export function fencesOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}
