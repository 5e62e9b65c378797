import {
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import type { Path } from '../checks/mistake.js';

/** A fault of the notation, described without any of the file's values: they may be secrets. */
export interface SyntaxMistake {
  readonly line: number;
  readonly text: string;
}

/** Faults that spoil one value and leave the structure around it clear. */
const LOCAL: readonly ErrorCode[] = [
  'BAD_ALIAS',
  'BAD_SCALAR_START',
  'BAD_DQ_ESCAPE',
  'DUPLICATE_KEY',
  'TAG_RESOLVE_FAILED',
];

const INDENTATION =
  'the indentation does not fit the lines above, or a bracket above is not closed; lines that belong together begin in the same column';

const ALIAS =
  'a value that begins with * is to YAML an alias of something complete above it; put a text in quotes, as in "*.csv"';

const PLAIN_WORDS: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: ALIAS,
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins a character that does not exist; use single quotes',
  BAD_INDENT: INDENTATION,
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a second ": ", or the indentation is wrong; put the value in quotes',
  BLOCK_IN_FLOW: 'a bracket above is not closed',
  DUPLICATE_KEY: 'this key is given above already; remove one of the two',
  MISSING_CHAR: 'a bracket, a comma, or a quote that was opened on this line or above is missing',
  MULTILINE_IMPLICIT_KEY: 'a line without ":" where a key should be, or the indentation is wrong',
  MULTIPLE_DOCS: 'a second document begins; the file must be one',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  TAG_RESOLVE_FAILED: `a word that begins with ! is a tag and means nothing here; an environment variable is \${NAME}`,
};

/** The parser's errors in plain words, at most one for a line: the first is the cause, the others follow from it. */
function syntaxMistakes(faults: readonly YAMLError[], text: string, lines: LineCounter): SyntaxMistake[] {
  const byLine = new Map<number, string>();
  for (const fault of faults) {
    const line = lines.linePos(Math.min(fault.pos[0], Math.max(0, text.length - 1))).line;
    const words = wordsFor(fault, text.split('\n')[line - 1] ?? '');
    // A fault without words of its own is a consequence of an earlier one.
    if (byLine.has(line) || (words === null && byLine.size > 0)) continue;
    byLine.set(line, words ?? INDENTATION);
    // Whatever follows does, too.
    if (words?.includes('indentation') ?? true) break;
  }
  return [...byLine].map(([line, text]) => ({ line, text }));
}

function isLocal({ code, message }: YAMLError): boolean {
  return LOCAL.includes(code) || message.startsWith('Unexpected alias');
}

function wordsFor(fault: YAMLError, line: string): string | null {
  if (fault.message.startsWith('Unexpected alias')) return ALIAS;
  if (/[{[,].*:\s*\$\{/.test(line)) return `inside { } put \${NAME} in quotes`;
  return fault.message.startsWith('Sequence item') ? INDENTATION : (PLAIN_WORDS[fault.code] ?? null);
}

/** A parsed registrar.yaml that still knows the line of every value. */
export interface YamlDocument {
  /** Plain data; a value that could not be read is undefined. undefined: nothing can be judged but the notation. */
  readonly value: unknown;
  /** Faults of the notation itself, each with its line. */
  readonly syntax: readonly SyntaxMistake[];
  /** The line, from 1, of the key or list entry at this place, else of the nearest one around it. */
  line(path: Path): number;
  /** The value at this place as the file has it, text in double quotes; null for maps, lists and empty values. */
  written(path: Path): string | null;
}

/** More repetitions than this come from aliases of aliases, never from a person. */
const MAX_ALIASES = 10_000;

/** Reads registrar.yaml as YAML 1.2. No message repeats a value: it may be a secret. */
export function readYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings];
  const syntax = syntaxMistakes(faults, text, lines);
  return {
    value: faults.every(isLocal) ? plain() : undefined,
    syntax,
    line: (path) => find(path).line,
    written,
  };

  function plain(): unknown {
    visit(document, {
      Alias(_, alias, around) {
        const target = alias.resolve(document);
        if (target !== undefined && !around.includes(target)) return;
        syntax.push({ line: lineOf(alias), text: ALIAS });
        return new Scalar(undefined);
      },
    });
    try {
      return document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      syntax.push({
        line: 1,
        text: 'the file repeats itself too often through aliases; write the values out',
      });
      return undefined;
    }
  }

  function written(path: Path): string | null {
    const { node } = find(path);
    // `key: null` is written; `key:` is not.
    return isScalar(node) && (node.value !== null || node.source) ? shown(node.value, node.source) : null;
  }

  /** The value at a place, and the line of its key; where there is none, the nearest line around it. */
  function find(path: Path): { readonly node: unknown; readonly line: number } {
    let node: unknown = document.contents;
    let line = 1;
    for (const step of path) {
      const around = isAlias(node) ? node.resolve(document) : node;
      const pair = isMap(around) ? around.items.find(({ key }) => String(key) === String(step)) : undefined;
      const key = isSeq(around) ? around.items[Number(step)] : pair?.key;
      if (key === undefined) return { node: null, line };
      line = lineOf(key);
      node = pair === undefined ? key : pair.value;
    }
    return { node: isAlias(node) ? node.resolve(document) : node, line };
  }

  function lineOf(node: unknown): number {
    return lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  }
}

/** Long values are cut: the message names the place. */
function shown(value: unknown, source: string | undefined): string {
  if (typeof value !== 'string') return source ?? String(value);
  const letters = [...value];
  return JSON.stringify(letters.length > 100 ? `${letters.slice(0, 100).join('')}…` : value);
}
