import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { document } from './support/markdown.js';
import { type Prose, proseOfDocument, proseOfSource, proseOfTest } from './support/prose.js';

/** Phrases that texts for people avoid, and the words to use instead. */
const BANNED: readonly { readonly phrase: RegExp; readonly instead: string }[] = [
  {
    phrase: /\b(?:nobody|somebody|anybody|everybody|someone|anyone|whoever|whomever|those who)\b/i,
    instead: 'operator, administrator, sender, reader, learner; process',
  },
  { phrase: /\bneeds? (?:a person|people)\b/i, instead: 'needs attention' },
  { phrase: /\b(?:told|tells|tellings?)\b/i, instead: 'send, notify, report, show; notification' },
  { phrase: /\btell (?!the (?:sender|operator)\b)/i, instead: 'send, notify, report, show, distinguish' },
  { phrase: /\bas (?:things|it|they) (?:stands?|lies?)\b/i, instead: 'now' },
  { phrase: /\bhow (?:things|it|they) stands?\b/i, instead: 'the status, its state' },
  { phrase: /\bstands? (?:beside|with)\b/i, instead: "can't be combined with" },
  { phrase: /\bstands?\b(?!-)|\bstood\b/i, instead: 'is, has; means, represents, replaces' },
  { phrase: /\blies\b|\blie (?:in|at|below|beside|outside)\b/i, instead: 'is' },
  { phrase: /\bask(?:s|ed) for\b/i, instead: 'requests, needs; requested' },
  { phrase: /\basks\b|\basked\b/i, instead: 'requests, queries, prompts, checks' },
  { phrase: /\b(?:gave|gives?|given|giving)(?: \w+)? up\b/i, instead: 'cancelled, abandoned, stopped' },
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\bset(?:s|ting)?(?: |-(?!aside["-]))aside\b/i, instead: 'refused file' },
  { phrase: /\b(?:taken?|takes|took|taking) in\b(?! turns?\b| full\b)/i, instead: 'import, imported' },
  { phrase: /\blets? in\b/i, instead: 'has access, accepts' },
  { phrase: /\bput(?:s|ting)?(?: it)? back\b/i, instead: 'move back, restore, return' },
  { phrase: /(?<!["/])\blog(?:s|ged|ging)?[ -](?:in|out)\b/i, instead: 'sign in, sign out, sign-in' },
  { phrase: /\bseen from the workspace\b/i, instead: 'relative to the workspace' },
  { phrase: /\bplease\b|\bsorry\b|\bsuccessfully\b/i, instead: 'nothing: say what happened and what to do' },
  { phrase: /[a-z]!(?:\s|$)/, instead: 'a full stop' },
];

/**
 * What a file holds somewhere, in its code at least, of which a string or comment has such a phrase. Most don't: to parse each of
 * them as well takes seconds.
 */
const ANY = new RegExp([...BANNED.map(({ phrase }) => phrase.source), '[a-z]![\'"`]'].join('|'), 'i');

/** The strings and comments of a source; none where no phrase is anywhere in it. */
function proseIn(source: string, proseOf: (source: string) => Prose[]): Prose[] {
  const text = source.replace(/\\u\{?\w+\}?|\\./g, ' ').replace(/\n\s*(?:\*(?!\/) ?)?/g, ' ');
  return ANY.test(text) ? proseOf(source) : [];
}

/** Exceptions by path and phrase, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/sandbox/platform.ts Please': 'the page of another program, as people meet it',
};

const SRC = new URL('../src/', import.meta.url);
const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort();
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'data/README.md',
  ...readdirSync(new URL('../docs/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
];

/** The strings and comments of each source that may have a phrase. */
const PROSE = SOURCES.map((path) => ({
  path: `src/${path}`,
  prose: proseIn(readFileSync(new URL(path, SRC), 'utf8'), proseOfSource),
}));

test('strings and comments have the voice of the product', () => {
  expect(PROSE.flatMap(({ path, prose }) => faultsOf(path, prose))).toEqual([]);
});

/** Titles and comments of tests, of benchmarks and of what packages the program. */
const TESTS = ['test', 'bench', 'packaging'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.[jt]s$/.test(path))
    .sort(),
);

test('titles of tests, and comments beside the source, have the voice of the product', () => {
  const faults = TESTS.flatMap((path) =>
    faultsOf(path, proseIn(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), proseOfTest)),
  );
  expect(faults).toEqual([]);
});

test.each(DOCUMENTS)('%s has the voice of the product', (path) => {
  expect(faultsOf(path, proseOfDocument(document(path)))).toEqual([]);
});

test('every exception occurs in the source', () => {
  const needed = PROSE.flatMap(({ path, prose }) =>
    prose.flatMap(({ text }) => BANNED.map(({ phrase }) => `${path} ${phrase.exec(text)?.[0]}`)),
  );
  expect(Object.keys(EXCEPTIONS).filter((name) => !needed.includes(name))).toEqual([]);
});

describe('a phrase is found', () => {
  it.each([
    ["const a = 'nobody may see this';", 'nobody'],
    ['const a = `$' + '{n} files were set aside`;', 'set aside'],
    ['/** What lies in\n * the inbox. */', 'lies'],
    ['// The request was given\n// up.\nf(); // Whoever asks.', 'Whoever'],
    ["const a = 'Please try again';", 'Please'],
    ["const a = 'All is sent!';", 't!'],
    ["const a = 'It ends.\\nNobody knows.';", 'Nobody'],
  ])('%s', (source, phrase) => {
    expect(faultsOf('src/x.ts', proseIn(source, proseOfSource))[0]).toContain(`"${phrase}"`);
  });

  it('in the title of a test, but not in its data', () => {
    expect(
      faultsOf('x.ts', proseIn("it.each([['nobody asked']])('nobody is %s', () => {});", proseOfTest)),
    ).toEqual(['x.ts:1: "nobody": write operator, administrator, sender, reader, learner; process']);
  });

  it('also over the lines of a paragraph', () => {
    expect(faultsOf('x.md', proseOfDocument('# Files\n\nA file is taken\nin by a run.'))).toEqual([
      'x.md:3: "taken in": write import, imported',
    ]);
  });

  it('but not in names, codes, SQL, addresses and code of a document', () => {
    const source =
      "import { told } from './sent-notifications.js';\nconst asked = told('refused'); // `asked`\n";
    expect(faultsOf('src/x.ts', proseOfSource(source))).toEqual([]);
    expect(faultsOf('src/x.ts', proseOfSource('const a = sql`asked = 1`;'))).toEqual([]);
    expect(faultsOf('x.md', proseOfDocument('The field `asked`.\n\n```sh\n# nobody\n```\n'))).toEqual([]);
  });
});

/** `src/cli/run.ts:24: "asked for": write requests`. */
function faultsOf(path: string, prose: readonly Prose[]): string[] {
  return prose.flatMap(({ line, text }) =>
    BANNED.flatMap(({ phrase, instead }) => {
      const words = phrase.exec(text)?.[0].trim();
      if (words === undefined || `${path} ${words}` in EXCEPTIONS) return [];
      return [`${path}:${line}: "${words}": write ${instead}`];
    }),
  );
}
