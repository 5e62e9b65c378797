import {
  Document,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';

/** A key of a map with its value and the reason beside it; a comment from its `#` on; '' sets the next key apart. */
export type Entry = readonly [key: string, value: Value, why?: string] | string;

type Node = Scalar | YAMLMap | YAMLSeq;

type Value = string | number | null | readonly string[] | Node;

/** A value that a set-up has guessed: its key in registrar.yaml, and the value as it is written there. */
export interface Guess {
  readonly key: string;
  readonly value: string;
}

export function mapOf(entries: readonly Entry[]): YAMLMap {
  const map = new YAMLMap<Scalar, unknown>();
  let lines: string[] = [];
  let spaceBefore = false;
  for (const entry of entries) {
    if (entry === '') spaceBefore = true;
    else if (typeof entry === 'string') lines.push(entry);
    else {
      const [name, value, why] = entry;
      const key = Object.assign(new Scalar(name), { commentBefore: commentOf(lines), spaceBefore });
      const node = nodeOf(value);
      if (why !== undefined) node.comment = commentOf([`# ${why}`]);
      map.add({ key, value: node } as Pair<Scalar, unknown>);
      lines = [];
      spaceBefore = false;
    }
  }
  return Object.assign(map, { comment: commentOf(lines) });
}

export function variable(name: string): Scalar {
  return new Scalar(`\${${name}}`);
}

export function listOf(maps: readonly YAMLMap[]): YAMLSeq {
  return Object.assign(new YAMLSeq(), { items: maps });
}

/** The text of a file: `entries` between the comments at its beginning and its end. */
export function yamlText(
  entries: readonly Entry[] | YAMLSeq,
  { head = [], end = [] }: { readonly head?: readonly string[]; readonly end?: readonly string[] } = {},
): string {
  const document = new Document(isSeq(entries) ? entries : mapOf(entries as readonly Entry[]));
  document.commentBefore = commentOf(head);
  document.comment = commentOf(end);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The guesses of a set-up: the values whose comment says `confirm:`. */
export function guessesIn(yaml: string): readonly Guess[] {
  const guesses: Guess[] = [];
  visit(parseDocument(yaml), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !(isScalar(value) || isSeq(value))) return;
      if (!/\bconfirm: /.test(value.comment ?? '')) return;
      const shown = value.toJSON();
      guesses.push({
        key: String(key.value),
        value: Array.isArray(shown) ? `[${shown.join(', ')}]` : String(shown),
      });
    },
  });
  return guesses;
}

function nodeOf(value: Value): Node {
  if (isNode(value)) return value;
  if (typeof value === 'object' && value !== null)
    return Object.assign(new YAMLSeq(), { flow: true, items: value.map(nodeOf) });
  // A text with a literal `${NAME}` has its `$` twice.
  return new Scalar(typeof value === 'string' ? value.replace(/\$\{/g, () => '$${') : value);
}

/** What follows the `#` of each line. A line is one line, whatever text it holds. */
function commentOf(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return lines
    .map((line) =>
      line
        .slice(1)
        .replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ')
        .trimEnd(),
    )
    .join('\n');
}
