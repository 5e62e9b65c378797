import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Says of a path below the context's folder whether `docker build` leaves it out. */
export type Ignored = (path: string) => boolean;

/**
 * The rules of a .dockerignore as Docker applies them: of all patterns that match a path or a folder around it, the
 * last one counts, and `!` takes back.
 */
export function dockerIgnore(text: string): Ignored {
  const rules = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const isException = line.startsWith('!');
      const pattern = cleaned(isException ? line.slice(1).trim() : line);
      return { isException, matches: pattern === '.' ? /^$/ : patternOf(pattern) };
    });
  return (path) => {
    const around = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ matches }) => around.some((folder) => matches.test(folder)));
    return last !== undefined && !last.isException;
  };
}

/** The files that `docker build` in that folder sees, sorted. A folder left out may still hold files taken back. */
export function contextFiles(folder: string, isIgnored: Ignored, skipped: readonly string[]): string[] {
  const files: string[] = [];
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.includes(below)) visit(below);
      } else if (!isIgnored(below)) files.push(below);
    }
  };
  visit('');
  return files.sort();
}

function cleaned(pattern: string): string {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '.' : parts.join('/');
}

function patternOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|\*|\?|\[\^?[^\]]*\]|\\.|[.+^${}()|\\]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    return token.startsWith('[') || /^\\./.test(token) ? token : `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}
