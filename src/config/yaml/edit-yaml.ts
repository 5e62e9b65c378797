import { isDeepStrictEqual } from 'node:util';
import { type Document, isCollection, isNode, isScalar, parse, parseDocument } from 'yaml';
import { mapStrings } from '../../domain/text/map-strings.js';
import type { Path } from '../checks/mistake.js';

export interface YamlEdit {
  /** Names of keys and numbers of entries; the number after the last entry of a list appends one. */
  readonly path: Path;
  /** Plain data, or a node; undefined removes what is there. A text with a literal `${NAME}` keeps it as text. */
  readonly value: unknown;
}

/** Comments and spacing stay, other notation becomes that of `init`. null where a place (an alias) can't be changed safely. */
export function editYaml(text: string, edits: readonly YamlEdit[]): string | null {
  if (edits.length === 0) return text;
  const document = parseDocument(text.replaceAll('\r\n', '\n'));
  if (document.errors.length > 0) return null;
  try {
    for (const { path, value } of edits) {
      if (value === undefined) remove(document, path);
      else set(document, path, isNode(value) ? value : mapStrings(value, withLiteralDollars));
    }
  } catch {
    // The parser's error for a place within an alias or a single value.
    return null;
  }
  const indentSeq = !/^( *)[^\s#-].*:\n\1- /m.test(text);
  const edited = spacedAs(text, document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq }));
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
}

const withLiteralDollars = (text: string) => text.replaceAll('${', '$$$${');

/** The edited text, with the lines that differ from written ones by their spacing alone as these are written. */
function spacedAs(text: string, edited: string): string {
  const spaced = (line: string) => line.replace(/(?<=\S) +/g, ' ').replace(/(?<=[{[]) | (?=[}\]])/g, '');
  const written = new Map(text.split(/\r?\n/).map((line) => [spaced(line), line]));
  const kept = edited.replace(/.+/g, (line) => written.get(spaced(line)) ?? line);
  // Spaces within a text are part of it.
  return isDeepStrictEqual(parse(kept), parse(edited)) ? kept : edited;
}

/** A collection that would be empty goes with its last place. */
function remove(document: Document, path: Path): void {
  document.deleteIn(path);
  const parent = path.slice(0, -1);
  const outer = document.getIn(parent, true);
  if (parent.length > 0 && isCollection(outer) && outer.items.length === 0) remove(document, parent);
}

function set(document: Document, path: Path, value: unknown): void {
  // A key without a value becomes the collection that the place is in.
  path.forEach((_, length) => {
    const ancestor = document.getIn(path.slice(0, length), true);
    if (length > 0 && isScalar(ancestor) && ancestor.value === null) document.deleteIn(path.slice(0, length));
  });
  const old = document.getIn(path, true);
  document.setIn(path, typeof value === 'object' && !isNode(value) ? document.createNode(value) : value);
  // A person has chosen it: there is nothing left to confirm.
  if (isScalar(old) && old.comment) old.comment = old.comment.replace('confirm: ', '');
}
