import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { configReference } from './support/config-reference.js';
import { cells, document, tables } from './support/markdown.js';

const PAGE = document('docs/specification.md');

/** The specification's sections, which are all that it says. */
const SECTIONS = [
  ...['1', '2', '2.1', '2.2', '2.3', '2.4', '2.5', '3', '4', '4.1', '4.2', '4.3', '4.4'],
  ...['5', '6', '7', '8', '9'],
];

const KEYS = configReference().map(({ key }) => key);

describe.each(SECTIONS)('§%s of the specification', (number) => {
  const rows = rowsOf(number);

  it('has a table of its statements', () => {
    expect(rows).not.toHaveLength(0);
    for (const row of rows) expect(row).toHaveLength(4);
  });

  test.each(rows)('%s', (statement, code = '', shown = '', configuration) => {
    expect(configuration).not.toBe('');
    const isGap = statement.startsWith('Not shown: ');
    expect(code).not.toBe('');
    if (!isGap) expect(linksIn(code)).not.toHaveLength(0);
    if (!isGap) expect(testsIn(shown)).not.toHaveLength(0);
    expect(linksIn(code).filter((link) => !isThere(link) || !link.startsWith('src/'))).toEqual([]);
    expect(testsIn(shown).flatMap(wrongIn)).toEqual([]);
    // Nothing beside the links and names, so that none is missed.
    expect(shown.replace(TESTS, '').replace(/^(?:; )*$|^–$/, '')).toBe('');
    expect(keysIn(configuration ?? '').filter((key) => !KEYS.includes(key))).toEqual([]);
  });
});

it('the page has exactly the sections of the specification', () => {
  const numbers = [...PAGE.matchAll(/^##+ §([\d.]+) /gm)].map(([, number]) => number);
  expect(numbers).toEqual(SECTIONS);
});

it('a test that is not there is found', () => {
  const page = '[x](../test/readme.test.ts): "are found", "is made up"; [y](../test/none.test.ts): "a"';
  expect(testsIn(page).flatMap(wrongIn)).toEqual(['test/readme.test.ts: is made up', 'test/none.test.ts: a']);
  expect(keysIn('`environments.<name>.exist`, `sources[].columns`: `x`')).toEqual([
    'environments.<name>.exist',
    'sources[].columns',
  ]);
});

interface NamedTests {
  readonly file: string;
  readonly names: readonly string[];
}

/** A link to a test file with the names of tests in it. */
const TESTS = /\[[^\]]+\]\(([^)]+)\): ("[^"]+"(?:, "[^"]+")*)/g;

/** None where the section is missing. */
function rowsOf(number: string): [string, ...string[]][] {
  const heading = new RegExp(`^##+ (§${number.replace('.', '\\.')} .+)$`, 'm').exec(PAGE)?.[1];
  const rows = heading === undefined ? [] : cells(tables(PAGE, heading)[0] ?? '');
  return rows.map(([statement = '', ...rest]) => [statement, ...rest]);
}

/** Files that a cell links to, from the top of the repository. */
function linksIn(cell: string): string[] {
  return [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => posix.join('docs', link));
}

function testsIn(cell: string): NamedTests[] {
  return [...cell.matchAll(TESTS)].map(([, link = '', names = '']) => ({
    file: posix.join('docs', link),
    names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }));
}

/** Names that no test of the file has. */
function wrongIn({ file, names }: NamedTests): string[] {
  const source = isThere(file) ? document(file) : '';
  return names
    .filter((name) => !["'", '"', '`'].some((mark) => source.includes(`${mark}${name}${mark}`)))
    .map((name) => `${file}: ${name}`);
}

/** Every key of registrar.yaml that a cell names. */
function keysIn(cell: string): string[] {
  return cell.match(/(?:environments\.<name>|sources\[\])[\w.[\]]*\w/g) ?? [];
}

function isThere(path: string): boolean {
  return existsSync(new URL(`../${path}`, import.meta.url));
}
