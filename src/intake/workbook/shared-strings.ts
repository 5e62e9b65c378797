import type { Cell } from '../../domain/row.js';
import { unreadable } from '../unreadable.js';
import type { Archive } from './open-archive.js';
import { richText, unescapeText } from './rich-text.js';
import { codeUnits, standsAt, wordUnits } from './xml/code-units.js';
import { parseXml } from './xml/parse-xml.js';
import { plainTextEnd } from './xml/plain-text.js';

/**
 * A workbook's table of texts, in order; formatting runs are joined, readings (phonetic runs) left
 * out, and those of which something is struck through are cells that say so. Cells refer
 * to it by index, so it is kept in memory whole, within bounds.
 */
export async function readSharedStrings(
  path: string,
  archive: Archive,
  part: string,
  limits: Readonly<typeof LIMITS> = LIMITS,
): Promise<readonly Cell[]> {
  const strings: Cell[] = [];
  const item = richText();
  const unitsOf = codeUnits();
  let depth = 0;
  const chunks = parseXml(path, archive, part, {
    shortcut: (source, start) => (depth === 1 ? readPlain(source, start) : -1),
    open(name, attributes) {
      depth += 1;
      item.open(name, attributes);
    },
    text: (text) => item.text(text),
    close(name) {
      depth -= 1;
      item.close(name);
      if (name === 'si') add(item.take());
    },
  });
  for await (const chars of chunks) if (chars > limits.chars) throw tooMuch();
  return strings;

  /** Reads successive items in the form that nearly all have, `<si><t>text</t></si>`. */
  function readPlain(source: string, start: number): number {
    const units = unitsOf(source);
    let at = -1;
    for (;;) {
      const from = at < 0 ? start : at;
      const opening = standsAt(units, from, ITEM) ? ITEM : SPACED_ITEM;
      if (opening === SPACED_ITEM && !standsAt(units, from, SPACED_ITEM)) return at;
      const end = plainTextEnd(units, from + opening.length);
      if (end < 0 || !standsAt(units, end, ITEM_END)) return at;
      add(unescapeText(source.slice(from + opening.length, end)));
      at = end + ITEM_END.length;
    }
  }

  function add(text: Cell): void {
    if (strings.length >= limits.strings) throw tooMuch();
    strings.push(text);
  }

  function tooMuch() {
    return unreadable(
      path,
      'the workbook holds more text than fits into memory',
      'Save the data in several workbooks, or as CSV.',
    );
  }
}

const ITEM = wordUnits('<si><t>');
const SPACED_ITEM = wordUnits('<si><t xml:space="preserve">');
const ITEM_END = wordUnits('</t></si>');

/**
 * A million rows of three long texts each, all different, stay below both. The characters are those of the XML: a text
 * cut out of it keeps the piece it was cut out of in memory.
 */
const LIMITS = { chars: 256 * 1024 * 1024, strings: 10_000_000 };
