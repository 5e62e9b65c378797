import type { Cell } from '../../domain/row.js';
import { unreadable } from '../unreadable.js';
import type { Archive } from './open-archive.js';
import { richText, unescapeText } from './rich-text.js';
import { parseXml } from './xml/parse-xml.js';

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
  const chunks = parseXml(path, archive, part, {
    shortcut: readPlainItem,
    open: (name, attributes) => item.open(name, attributes),
    text: (text) => item.text(text),
    close(name) {
      item.close(name);
      if (name === 'si') add(item.take());
    },
  });
  for await (const chars of chunks) if (chars > limits.chars) throw tooMuch();
  return strings;

  function readPlainItem(source: string, start: number): number {
    PLAIN_ITEM.lastIndex = start;
    const text = PLAIN_ITEM.exec(source)?.[1];
    if (text === undefined) return -1;
    add(unescapeText(text));
    return PLAIN_ITEM.lastIndex;
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

/** An item in the form of nearly all items, with a text that is written as is. */
const PLAIN_ITEM = /<si><t(?: xml:space="preserve")?>([^<&\]]*)<\/t><\/si>/y;

/**
 * A million rows of three long texts each, all different, stay below both. The characters are those of the XML: a text
 * cut out of it keeps the piece it was cut out of in memory.
 */
const LIMITS = { chars: 256 * 1024 * 1024, strings: 10_000_000 };
