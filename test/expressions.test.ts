import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
import { isLinear, stopwatch } from './support/growth.js';

/**
 * Where an expression is made of something that is no plain text in the source. Nothing that a file, a cell or an answer
 * says may become one: it could be too large for the engine, or match too much.
 */
const MADE: Readonly<Record<string, string>> = {
  'config/values/cron.ts': 'of words in the source',
  'domain/text/visible-text.ts': 'one expression of another',
  'intake/workbook/xml/xml-scanner.ts': 'of constants',
  'normalise/values/identifier.ts': 'of data/words',
  'normalise/header/noise.ts': 'of data/words',
  'normalise/time/read-pattern.ts': 'of datePatterns in registrar.yaml, whose letters are checked',
  'normalise/status/status-evidence.ts': 'of data/words',
  'normalise/values/word-pattern.ts': 'of data/words',
  'platform/answers/redact.ts': 'of the identifiers of a request, escaped, in a text that is clipped',
  'report/corrections/correct-sheet.ts': 'of the names of fields in the source',
  'staging/correct/merged-cells.ts': 'of a constant',
  'workspace/claimed/claim-drop.ts': 'of eight hexadecimal digits',
};

/**
 * Expressions that take more than time in proportion to a text of their own making, and why no text is long there. What
 * isn't here must be linear on whatever it may be given.
 */
const SHORT: Readonly<Record<string, string>> = {
  'config/yaml/yaml-document.ts [{[,].*:\\s*\\$\\{': 'a line of registrar.yaml',
  "normalise/header/noise.ts ^(.*\\p{L}\\D*?)[\\s:=([]+\\d[\\d.,'’\\s]*%?$":
    'a label, of 200 characters at most',
  'report/text/counted.ts \\B(?=(\\d{3})+$)': 'the digits of a number',
};

/**
 * A slash where a value may begin: after an operator, an opening bracket or a word that a value follows. Behind a value it
 * divides. Most files have none, and to parse a file takes longer than all else here.
 */
const MAY_HOLD_ONE =
  /RegExp|(?:^|[^\s\w./*)\]$'"`}])[ \t]*\/(?![/*])|\b(?:return|case|typeof|yield|await|void|in|of)[ \t]+\/(?![/*])/m;

interface Expression {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

const { literals, made } = expressionsOf(new URL('../src/', import.meta.url));

it('no expression is built from text that was read', () => {
  expect(made.filter((file) => !(file in MADE))).toEqual([]);
});

it('every expression takes time in proportion to its text, however that is made', () => {
  const tried = literals.filter(
    ({ place, pattern }) => !(`${place} ${pattern}` in SHORT) && REPEATS.test(pattern),
  );
  expect(tried.flatMap((literal) => slowText(literal))).toEqual([]);
});

it('every exception names an expression of the source', () => {
  const known = new Set(literals.map(({ place, pattern }) => `${place} ${pattern}`));
  expect(Object.keys(SHORT).filter((name) => !known.has(name))).toEqual([]);
});

it('an expression that is not linear is found', () => {
  for (const pattern of ['\\s+$', '^(a+)+$', '<[^>]*x', '(?:\\w+@)+\\w+\\.$']) {
    expect(slowText({ place: 'here', pattern, flags: '' }, 3_000)).toHaveLength(1);
  }
  expect(slowText({ place: 'here', pattern: '^\\s*[a-z]+$', flags: '' })).toEqual([]);
});

/** An expression without unbounded repetition reads a fixed number of characters from each place. */
const REPEATS = /[*+{]/;

const LENGTHS = [24, 150, 600];
const SUSPECT_MS = 0.12;

/** A text on which it takes more time than in proportion; none where none was found. @param size of a suspicious text, at first. */
function slowText({ place, pattern, flags }: Expression, size = 4_000): string[] {
  const expression = new RegExp(pattern, flags);
  const run = (text: string) => {
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, '');
    else expression.exec(text);
  };
  // The engine compiles it when it is used again.
  for (const text of ['', 'a', '1']) run(text);
  for (const { before, again, after } of attacks(pattern)) {
    const textOf = (length: number) => before + again.repeat(length / again.length) + after;
    // From short to long: what is exponential would never come back from the long one.
    const isSlow =
      LENGTHS.some((length) => isFar(() => run(textOf(length)))) ||
      (isSuspect(() => run(textOf(600))) && !isLinear((length) => run(textOf(length)), size));
    if (isSlow) {
      return [`${place} /${pattern}/${flags} on ${JSON.stringify([before, again, after])}`];
    }
  }
  return [];
}

/** So slow that a longer text would take minutes. */
function isFar(work: () => void): boolean {
  return takesMore(FAR_MS, work);
}

function isSuspect(work: () => void): boolean {
  return takesMore(SUSPECT_MS, work);
}

/** Several times over: once it may be the machine. */
function takesMore(ms: number, work: () => void): boolean {
  return [1, 2, 3].every((go) => {
    // The clock mostly shows already that it took less, and is read much faster than the processor's time.
    const tookMs = go === 1 ? clock() : stopwatch();
    work();
    return tookMs() > ms;
  });
}

function clock(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}

const FAR_MS = 40;

/** Texts that repeat what the pattern speaks of, with a beginning it may want and an end it doesn't. */
function attacks(pattern: string) {
  const { characters, words } = spokenOf(pattern);
  const few = characters.slice(0, 6);
  const pieces = new Set([...characters, ...words, ...few.flatMap((one) => few.map((other) => one + other))]);
  const beginnings = new Set(['', characters[0] ?? '', words[0] ?? '']);
  return [...pieces].flatMap((again) =>
    [...beginnings].flatMap((before) => ['', '\u0000'].map((after) => ({ before, again, after }))),
  );
}

/** Characters and words in a pattern; of a class one that is in it. */
function spokenOf(pattern: string): {
  readonly characters: readonly string[];
  readonly words: readonly string[];
} {
  const TOKEN =
    /\\[pP]\{([^}]*)\}|\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|\\(.)|\(\?(?:<?[=!]|:|<\w+>)|\{\d+,?\d*\}|([^\\()[\]{}?*+|^$])/giu;
  const CLASSES: Readonly<Record<string, string>> = {
    d: '1',
    D: 'x',
    w: 'a',
    W: '-',
    s: ' ',
    S: 'x',
    t: '\t',
    n: '\n',
    r: '\r',
    b: '',
    B: '',
  };
  const found = [...pattern.matchAll(TOKEN)].map(([, property, unit, byte, escaped, plain]) => {
    if (property !== undefined)
      return /^(?:L|sc)/.test(property) ? 'ä' : property.startsWith('N') ? '1' : ' ';
    if (unit ?? byte) return String.fromCodePoint(Number.parseInt(unit ?? byte ?? '', 16));
    return escaped === undefined ? (plain === '.' ? 'x' : (plain ?? '')) : (CLASSES[escaped] ?? escaped);
  });
  const isLetter = (character: string) => /[a-z]/i.test(character);
  const signs = found.filter((character) => character !== '' && !isLetter(character));
  const characters = [
    ...new Set([...signs.slice(0, 8), 'a', '1', ' ', ...found.filter(isLetter).slice(0, 2)]),
  ];
  const words = [...new Set(pattern.match(/\p{L}{2,12}/gu))].slice(0, 4);
  return { characters, words };
}

/** Every expression of the sources, and the files that make some while they run. */
function expressionsOf(folder: URL): {
  readonly literals: readonly Expression[];
  readonly made: readonly string[];
} {
  const literals: Expression[] = [];
  const made: string[] = [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const file of files.map((name) => name.replaceAll('\\', '/'))) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    if (!MAY_HOLD_ONE.test(source)) continue;
    visit(parseAst(source, { lang: 'ts' }), (node) => {
      const { regex, callee } = node as {
        regex?: { pattern: string; flags: string };
        callee?: { name?: string };
      };
      if (regex !== undefined) literals.push({ place: file, ...regex });
      if (callee?.name === 'RegExp') made.push(file);
    });
  }
  return { literals, made };
}

function visit(node: unknown, see: (node: object) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  if (!Array.isArray(node)) see(node);
  for (const member of Object.values(node)) visit(member, see);
}
