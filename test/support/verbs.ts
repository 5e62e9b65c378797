import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A function with which the rest of the program queries the ledger. */
export interface Verb {
  readonly name: string;
  /** Folder below src/ledger/. */
  readonly room: string;
  /** The first sentence of its comment. */
  readonly sentence: string;
}

const SRC = new URL('../../src/', import.meta.url);

const CONFORMANCE = new URL('../conformance/', import.meta.url);

/** Opening and closing is not a query. */
const DOORS = ['ledger/store/open.ts', 'ledger/store/postgres/open.ts'];

/** All that src/ imports of src/ledger/ from outside and that takes a ledger, by room and name. */
export function verbs(): Verb[] {
  const texts = textsIn(SRC);
  const imported = importedFrom(texts);
  return [...texts]
    .filter(([name]) => name.startsWith('ledger/') && !DOORS.includes(name))
    .flatMap(([name, text]) => takingLedger(name, text))
    .filter(({ place }) => imported.has(place))
    .map(({ place: _, ...verb }) => verb)
    .sort((a, b) => (a.room + a.name).localeCompare(b.room + b.name));
}

/** Verbs that no test of test/conformance/ calls, by name. */
export function untestedVerbs(): string[] {
  const called = [...textsIn(CONFORMANCE).values()].join('\n');
  return verbs()
    .map(({ name }) => name)
    .filter((name) => !new RegExp(`\\b${name}\\(`).test(called));
}

/** What test/conformance/ uses of src/ledger/ that the rest of src/ doesn't; its engines open ledgers by the inside. */
export function innerUses(): string[] {
  const outside = importedFrom(textsIn(SRC));
  return [...textsIn(CONFORMANCE)]
    .filter(([name]) => !/^(?:sqlite|postgres)-/.test(name))
    .flatMap(([name, text]) => importsOf(`conformance/${name}`, text.replaceAll('../../src/', '../')))
    .filter((use) => !outside.has(use) && !DOORS.some((door) => use.startsWith(door)));
}

function textsIn(folder: URL): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts'));
  return new Map(files.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}

/** What of the ledger the rest of src/ imports. */
function importedFrom(texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const outside = [...texts].filter(([name]) => !name.startsWith('ledger/'));
  return new Set(outside.flatMap(([name, text]) => importsOf(name, text)));
}

/** What a file imports of the ledger, as `ledger/room/file.ts name`; types are left out. */
function importsOf(name: string, text: string): string[] {
  return [...text.matchAll(/import (type )?\{([^}]*)\} from '([^']*ledger\/[^']*)'/g)].flatMap(
    ([, type, names = '', from = '']) => {
      if (type) return [];
      const file = posix.join(posix.dirname(name), from).replace(/\.js$/, '.ts');
      const values = names.split(',').map((one) => one.trim());
      return values
        .filter((one) => one !== '' && !one.startsWith('type '))
        .map((one) => `${file} ${one.split(' as ')[0]}`);
    },
  );
}

function takingLedger(file: string, text: string): (Verb & { readonly place: string })[] {
  const declared =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(\s*(?:\{[^}]*\}|\w+): (?:Ledger\b|Pick<Ledger)/g;
  return [...text.matchAll(declared)].map(([, comment = '', name = '']) => ({
    name,
    room: file.split('/')[1] ?? '',
    sentence: firstSentence(comment),
    place: `${file} ${name}`,
  }));
}

function firstSentence(comment: string): string {
  const text = comment
    .replace(/^\s*\*? ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /^(.*?[.!?])(?: |$)/.exec(text)?.[1] ?? text;
}
