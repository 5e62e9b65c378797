import { isScalar, isSeq, type Node, parseDocument, Scalar, stringify, visit } from 'yaml';

/** A key with its value and the reason beside it; a comment from its `#` on, or a blank line. */
export type Entry =
  | readonly [key: string, value: string | null | Scalar | readonly Entry[], why?: string]
  | string;

/** A value that init guessed: its key and its value in registrar.yaml. */
export interface Guess {
  readonly key: string;
  readonly value: string;
}

/** Each value is on one line, whatever text it holds. */
const ON_ONE_LINE = { lineWidth: 0, blockQuote: false, doubleQuotedAsJSON: true } as const;

export function mapLines(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return oneLine(entry);
    const [key, value, why] = entry;
    if (Array.isArray(value)) return [`${key}:`, ...mapLines(value).map((line) => `  ${line}`.trimEnd())];
    // A text with a literal `${NAME}` has its `$` twice.
    const escaped = typeof value === 'string' ? value.replace(/\$\{/g, () => '$${') : value;
    return `${stringify({ [key]: escaped }, ON_ONE_LINE).trimEnd()}${why === undefined ? '' : ` # ${oneLine(why)}`}`;
  });
}

/** The lines of a map as an entry of a list that is a key of the file. */
export function entryLines(entries: readonly Entry[]): string[] {
  return mapLines(entries).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`.trimEnd());
}

/** An entry by its lines, to be put into another file. */
export function entryNode(lines: readonly string[]): Node {
  return parseDocument(['list:', ...lines].join('\n')).getIn(['list', 0]) as Node;
}

export function variable(name: string): Scalar {
  return new Scalar(`\${${name}}`);
}

/** The guesses of a set-up: the values whose comment says `confirm:`. */
export function guessesIn(yaml: string): readonly Guess[] {
  const guesses: Guess[] = [];
  visit(parseDocument(yaml), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !(isScalar(value) || isSeq(value))) return;
      if (!/\bconfirm: /.test(value.comment ?? '')) return;
      const json = value.toJSON();
      guesses.push({
        key: String(key.value),
        value: Array.isArray(json) ? `[${json.join(', ')}]` : String(json),
      });
    },
  });
  return guesses;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ').trimEnd();
}
