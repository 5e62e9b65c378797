import { isDeepStrictEqual } from 'node:util';
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Path } from '../checks/mistake.js';

/** A change of one place of a YAML file. */
export interface YamlEdit {
  /** Names of keys and numbers of entries; the number after the last entry of a list appends one. */
  readonly path: Path;
  /** Plain data, or a node; undefined removes what is there. A text with a literal `${NAME}` keeps it as text. */
  readonly value: unknown;
}

/**
 * The text of a YAML file with some places changed; every other byte, comments too, stays as it is, which a parsed document that is
 * written again doesn't keep. What the new text means is compared with the change.
 * @returns null where a place is written in a way that can't be changed safely: an alias, for example.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string | null {
  if (text.includes('\r')) {
    // Lines that an editor of Windows has ended; a mixture is left to a person.
    const lines = text.replaceAll('\r\n', '\n');
    const isMixed = lines.includes('\r') || lines.replaceAll('\n', '\r\n') !== text;
    return isMixed ? null : (editYaml(lines, edits)?.replaceAll('\n', '\r\n') ?? null);
  }
  let edited = text;
  for (const { path, value } of edits) {
    const document = parseDocument(edited);
    if (document.errors.length > 0) return null;
    const node = value === undefined ? undefined : nodeOf(document, value);
    const next = changed(edited, document, path, node);
    if (next === null || !isDeepStrictEqual(plainOf(next), meant(edited, path, node))) return null;
    edited = next;
  }
  return edited;
}

function plainOf(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : document.toJS();
}

/** What the file should say. */
function meant(text: string, path: Path, node: Node | undefined): unknown {
  const document = parseDocument(text);
  if (node === undefined) {
    document.deleteIn(path);
    for (let length = path.length - 1; length > 0; length -= 1) {
      const around = document.getIn(path.slice(0, length), true);
      if (isCollection(around) && around.items.length === 0) document.deleteIn(path.slice(0, length));
    }
  } else {
    // Parents that are missing, or empty, become maps.
    for (let length = 1; length < path.length; length += 1) {
      const at = path.slice(0, length);
      if (!isCollection(document.getIn(at, true)))
        document.setIn(at, document.createNode(typeof path[length] === 'number' ? [] : {}));
    }
    document.setIn(path, node);
  }
  return document.toJS();
}

function changed(text: string, document: Document.Parsed, path: Path, node: Node | undefined): string | null {
  const last = path.at(-1);
  if (last === undefined) return null;
  const around = document.getIn(path.slice(0, -1), true);
  // An alias, or a value where a map should be.
  if (isNode(around) && !isCollection(around) && !(isScalar(around) && around.value === null)) return null;
  if (!isCollection(around) || !around.range) {
    // The parent is missing, or empty: it is written with this place in it.
    if (node === undefined) return text;
    const parent = document.createNode(typeof last === 'number' ? [node] : { [last]: node });
    return changed(text, document, path.slice(0, -1), parent);
  }
  const isThere = around.has(last);
  const isWhole = isThere && around.items.length === 1;
  if (node === undefined && !isThere) return text;
  // A collection that would be empty goes with its last place.
  if (node === undefined && isWhole) return changed(text, document, path.slice(0, -1), undefined);
  if (around.flow) {
    if (holdsComment(text, around)) return null;
    const copy = around.clone() as YAMLMap | YAMLSeq;
    if (node === undefined) copy.delete(last);
    else copy.set(last, node);
    return splice(text, around.range[0], around.range[1], inline(copy));
  }
  if (isThere) {
    const [from, to] = linesOf(text, around, last);
    if (node === undefined) return splice(text, from, to, '');
    return replaced(text, around, last, node);
  }
  const indent = indentOf(text, around);
  const at = endOfBlock(text, around);
  return splice(
    text,
    at,
    at,
    `${at > 0 && text[at - 1] !== '\n' ? '\n' : ''}${lines(last, node as Node, indent)}`,
  );
}

/** One entry of a block in its own lines. A map in a list has a line for each key. */
function lines(key: string | number, node: Node, indent: string): string {
  if (typeof key === 'string') return `${indent}${inline(new Scalar(key))}: ${inline(node)}\n`;
  if (!isMap(node)) return `${indent}- ${inline(node)}\n`;
  return node.items
    .map(({ key, value }, index) => {
      const before = index === 0 ? '- ' : '  ';
      return `${indent}${before}${inline(key as Node)}: ${inline(value as Node)}\n`;
    })
    .join('');
}

/** The value of a place in a block, on the line of its key. */
function replaced(text: string, around: YAMLMap | YAMLSeq, key: string | number, node: Node): string | null {
  const [begin, value] = partOf(around, key);
  if (begin === null) return null;
  if (isCollection(value) && holdsComment(text, value)) return null;
  if (isCollection(value) && !value.flow) {
    const [from, to] = linesOf(text, around, key);
    return splice(text, from, to, lines(key, node, indentOf(text, around)));
  }
  if (value?.range && value.range[1] > value.range[0]) {
    const end = afterLine(text, value.range[1]);
    // A person has chosen it: there is nothing left to confirm.
    const rest = text.slice(value.range[1], end).replace('# confirm: ', '# ');
    return splice(text, value.range[0], end, inline(node) + rest);
  }
  const colon = text.indexOf(isMap(around) ? ':' : '-', begin);
  return colon < 0 ? null : splice(text, colon + 1, colon + 1, ` ${inline(node)}`);
}

/** True where a collection, which would be written again as a whole, has a comment within. */
function holdsComment(text: string, { range }: YAMLMap | YAMLSeq): boolean {
  const tokens = new Lexer().lex(range ? text.slice(range[0], range[1]) : '');
  return [...tokens].some((token) => token.startsWith('#'));
}

/** Where the key, or the entry's value, begins, and the value. */
function partOf(around: YAMLMap | YAMLSeq, key: string | number): [number | null, Node | null] {
  if (isMap(around)) {
    const pair = around.items.find((item) => isScalar(item.key) && item.key.value === key);
    return [(pair?.key as Node | undefined)?.range?.[1] ?? null, (pair?.value ?? null) as Node | null];
  }
  const item = around.items[key as number];
  return [isNode(item) ? (item.range?.[0] ?? null) : null, isNode(item) ? (item as Node) : null];
}

/** The lines of one place of a block: from its first character's line to where the next begins, without comments above that. */
function linesOf(text: string, around: YAMLMap | YAMLSeq, key: string | number): [number, number] {
  const [begin, value] = partOf(around, key);
  const from = text.lastIndexOf('\n', (begin ?? 1) - 1) + 1;
  const end = Math.max(begin ?? 0, value?.range?.[1] ?? 0);
  return [from, text[end - 1] === '\n' ? end : afterLine(text, end)];
}

/** Where the last line of a block ends, with a comment on it. */
function endOfBlock(text: string, around: YAMLMap | YAMLSeq): number {
  const last = around.items.at(-1);
  const nodes: unknown[] = isPair(last) ? [last.key, last.value] : [last];
  const end = Math.max(...nodes.map((node) => (isNode(node) ? (node.range?.[1] ?? 0) : 0)));
  return text[end - 1] === '\n' ? end : afterLine(text, end);
}

function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function indentOf(text: string, around: YAMLMap | YAMLSeq): string {
  const begin = around.range?.[0] ?? 0;
  return ' '.repeat(begin - (text.lastIndexOf('\n', begin - 1) + 1));
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

/** The value on one line. */
function inline(node: unknown): string {
  const copy = isNode(node) ? (node.clone() as Node) : new Scalar(node);
  visit(copy, {
    Node(_, part) {
      part.comment = null;
      part.commentBefore = null;
    },
    Collection(_, part) {
      part.comment = null;
      part.commentBefore = null;
      part.flow = true;
    },
  });
  return new Document(copy).toString({ lineWidth: 0, flowCollectionPadding: false }).trim();
}

function nodeOf(document: Document, value: unknown): Node {
  if (isNode(value)) return value;
  return document.createNode(value, (_, part) =>
    typeof part === 'string' ? part.replace(/\$\{/g, () => '$${') : part,
  ) as Node;
}
