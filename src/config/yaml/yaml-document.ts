import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Mistake, Path } from '../checks/mistake.js';

/** A fault of the notation, described without any of the file's values: they may be secrets. */
export interface SyntaxMistake {
  readonly line: number;
  readonly text: string;
}

/** Faults that spoil one value and leave the structure around it clear. */
const LOCAL: readonly ErrorCode[] = ['BAD_SCALAR_START', 'BAD_DQ_ESCAPE', 'TAG_RESOLVE_FAILED'];

const INDENTATION =
  'the indentation does not fit the lines above, or a bracket above is not closed; lines that belong together begin in the same column';

const PLAIN_WORDS: Partial<Record<ErrorCode, string>> = {
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins a character that does not exist; use single quotes',
  BAD_INDENT: INDENTATION,
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a second ": ", or the indentation is wrong; put the value in quotes',
  BLOCK_IN_FLOW: 'a bracket above is not closed',
  MISSING_CHAR: 'a bracket, a comma, or a quote that was opened on this line or above is missing',
  MULTILINE_IMPLICIT_KEY: 'a line without ":" where a key should be, or the indentation is wrong',
  MULTIPLE_DOCS: 'a second document begins; the file must be one',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  TAG_RESOLVE_FAILED: `a word that begins with ! is a tag and means nothing here; an environment variable is \${NAME}`,
};

/** The parser's errors in plain words, at most one for a line: the first is the cause, the others follow from it. */
function syntaxMistakes(document: Document.Parsed, text: string, lines: LineCounter) {
  const byLine = new Map<number, string>();
  for (const fault of [...document.errors, ...document.warnings]) {
    const line = lines.linePos(Math.min(fault.pos[0], Math.max(0, text.length - 1))).line;
    const words = wordsFor(fault, text.split('\n')[line - 1] ?? '');
    // A fault without words of its own is a consequence of an earlier one.
    if (byLine.has(line) || (words === null && byLine.size > 0)) continue;
    byLine.set(line, words ?? INDENTATION);
    // Whatever follows does, too.
    if (words?.includes('indentation') ?? true) break;
  }
  const mistakes = [...byLine].map(([line, text]) => ({ line, text }));
  return mistakes.sort((a, b) => a.line - b.line);
}

function isAliasFault({ code, message }: YAMLError): boolean {
  return code === 'BAD_ALIAS' || message.startsWith('Unexpected alias');
}

function wordsFor(fault: YAMLError, line: string): string | null {
  if (isAliasFault(fault)) return 'a value that begins with * must be in quotes, as in "*/15 * * * *"';
  if (/[{[,].*:\s*\$\{/.test(line)) return `inside { } put \${NAME} in quotes`;
  return fault.message.startsWith('Sequence item') ? INDENTATION : (PLAIN_WORDS[fault.code] ?? null);
}

/** A parsed registrar.yaml that still knows the line of every value. */
export interface YamlDocument {
  /** Plain data; a value that could not be read is undefined. */
  readonly value: unknown;
  /** Faults of the notation itself, each with its line. Where `readable` is false nothing else can be judged. */
  readonly syntax: readonly SyntaxMistake[];
  readonly readable: boolean;
  /** Keys given twice, aliases that name nothing: their places are known. */
  readonly mistakes: readonly Mistake[];
  /** The line, from 1, of the key or list entry at this place, else of the nearest one around it. */
  line(path: Path): number;
  /** The value at this place as the file has it, text in double quotes; null for maps, lists and empty values. */
  written(path: Path): string | null;
}

/** More values than this come from aliases of aliases, never from a person. */
const MAX_NODES = 100_000;

/** Reads registrar.yaml as YAML 1.2. No message repeats a value: it may be a secret. */
export function readYaml(text: string): YamlDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const lines = new Map<string, number>();
  const scalars = new Map<string, string>();
  const mistakes: Mistake[] = [];
  const syntax = syntaxMistakes(document, text, lineCounter);
  const readable = [...document.errors, ...document.warnings].every(
    (fault) => isAliasFault(fault) || LOCAL.includes(fault.code),
  );
  let nodes = 0;

  const value = readable ? plain(document.contents, [], []) : undefined;
  const written = (path: Path) => scalars.get(keyOf(path)) ?? null;
  return { value, syntax, readable, mistakes, line, written };

  function plain(node: unknown, path: Path, around: readonly unknown[]): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) {
      if (nodes === MAX_NODES + 1)
        mistakes.push({ path, text: 'repeats itself too often through aliases; write the values out' });
      return undefined;
    }
    if (isAlias(node)) return aliased(node.resolve(document), path, around);
    if (isMap(node)) return plainMap(node, path, [...around, node]);
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const itemPath = [...path, index];
        noteLine(itemPath, item);
        return plain(item, itemPath, [...around, node]);
      });
    }
    if (!isScalar(node)) return null;
    // `key: null` is written; `key:` is not.
    if (node.value !== null || node.source) scalars.set(keyOf(path), shown(node.value, node.source));
    return node.value;
  }

  function aliased(target: Node | undefined, path: Path, around: readonly unknown[]): unknown {
    if (target !== undefined && !around.includes(target)) return plain(target, path, around);
    const text =
      target === undefined
        ? 'begins with *, which YAML takes for an alias; put the value in quotes, as in "*.csv"'
        : 'is an alias of something it is part of; write the value out';
    mistakes.push({ path, text });
    return undefined;
  }

  function plainMap(node: YAMLMap, path: Path, around: readonly unknown[]): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : String(pair.key);
      const keyPath = [...path, key];
      if (entries.has(key)) {
        const again = lineCounter.linePos((pair.key as Node).range?.[0] ?? 0).line;
        mistakes.push({ path: keyPath, text: `is given again in line ${again}; remove one of the two` });
        continue;
      }
      noteLine(keyPath, pair.key);
      entries.set(key, plain(pair.value, keyPath, around));
    }
    return Object.fromEntries(entries);
  }

  function noteLine(path: Path, node: unknown): void {
    const range = (node as Node | null)?.range;
    if (range) lines.set(keyOf(path), lineCounter.linePos(range[0]).line);
  }

  function line(path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      const lineNumber = lines.get(keyOf(path.slice(0, length)));
      if (lineNumber !== undefined) return lineNumber;
    }
    return 1;
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** Long values are cut: the message names the place. */
function shown(value: unknown, source: string | undefined): string {
  if (typeof value !== 'string') return source ?? String(value);
  const letters = [...value];
  return JSON.stringify(letters.length > 100 ? `${letters.slice(0, 100).join('')}…` : value);
}
