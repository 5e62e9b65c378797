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
import { dataFile } from '../values/data-file.js';

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

/** By the parser's codes, in plain words (data/texts/yaml.yaml). */
const PLAIN_WORDS =
  dataFile<Readonly<Partial<Record<ErrorCode, string>> & Record<'BAD_INDENT' | 'BAD_ALIAS', string>>>(
    'texts/yaml',
  );

/** The parser's errors in plain words, at most one for a line: the first is the cause, the others follow from it. */
function syntaxMistakes(faults: readonly YAMLError[], text: string, lines: LineCounter): SyntaxMistake[] {
  const byLine = new Map<number, string>();
  for (const fault of faults) {
    const line = lines.linePos(Math.min(fault.pos[0], Math.max(0, text.length - 1))).line;
    const words = wordsFor(fault, text.split('\n')[line - 1] ?? '');
    // A fault without words of its own is a consequence of an earlier one.
    if (byLine.has(line) || (words === null && byLine.size > 0)) continue;
    byLine.set(line, words ?? PLAIN_WORDS().BAD_INDENT);
    // Whatever follows does, too.
    if (words?.includes('indentation') ?? true) break;
  }
  return [...byLine].map(([line, text]) => ({ line, text }));
}

function isLocal({ code, message }: YAMLError): boolean {
  return LOCAL.includes(code) || message.startsWith('Unexpected alias');
}

function wordsFor(fault: YAMLError, line: string): string | null {
  if (fault.message.startsWith('Unexpected alias')) return PLAIN_WORDS().BAD_ALIAS;
  if (/[{[,].*:\s*\$\{/.test(line)) return `inside { } put \${NAME} in quotes`;
  return PLAIN_WORDS()[fault.message.startsWith('Sequence item') ? 'BAD_INDENT' : fault.code] ?? null;
}

/** A parsed registrar.yaml that still knows the line of every value. */
export interface YamlDocument {
  /** Plain data; a value that could not be read is undefined. undefined: nothing can be judged but the notation. */
  readonly value: unknown;
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
      Alias(_, alias, ancestors) {
        const target = alias.resolve(document);
        if (target !== undefined && !ancestors.includes(target)) return;
        syntax.push({ line: lineOf(alias), text: PLAIN_WORDS().BAD_ALIAS });
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
      const parent = isAlias(node) ? node.resolve(document) : node;
      const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(step)) : undefined;
      const key = isSeq(parent) ? parent.items[Number(step)] : pair?.key;
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
