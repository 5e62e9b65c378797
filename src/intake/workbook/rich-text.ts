import type { Cell } from '../../domain/row.js';
import { unreadable } from '../unreadable.js';
import type { Archive } from '../zip-entries.js';
import { parseXml } from './xml/parse-xml.js';
import { isTrue, type XmlAttributes } from './xml/xml-scanner.js';

/** Collects the text of one item: the `t` elements in it, but not those of phonetic runs. */
export function richText() {
  let collected = '';
  /** null until something is struck through; then the text up to `marked.upTo` with what is struck between ~~. */
  let marked: { text: string; upTo: number } | null = null;
  let runStart = 0;
  let isRunStruck = false;
  let inText = false;
  let inReading = false;

  function closeRun(): void {
    const run = collected.slice(runStart);
    if (!isRunStruck || run.trim() === '') return;
    const before = collected.slice(marked?.upTo ?? 0, runStart);
    marked = { text: `${marked?.text ?? ''}${before}~~${run}~~`, upTo: collected.length };
  }

  return {
    open(name: string, attributes: XmlAttributes): void {
      if (name === 'rPh') inReading = true;
      else if (name === 't') inText = true;
      else if (name === 'r') {
        runStart = collected.length;
        isRunStruck = false;
      } else if (isStrike(name, attributes)) isRunStruck = true;
    },
    text(text: string): void {
      if (inText && !inReading) collected += text;
    },
    close(name: string): void {
      if (name === 'rPh') inReading = false;
      else if (name === 't') inText = false;
      else if (name === 'r') closeRun();
    },
    /** Returns the text so far, or a cell with its struck-through parts marked, and starts over. */
    take(): Cell {
      const text = unescapeText(collected);
      const struck = marked === null ? null : marked.text + collected.slice(marked.upTo);
      collected = '';
      marked = null;
      // Runs that follow each other are one piece to a reader.
      return struck === null ? text : { error: text, struck: unescapeText(struck.replaceAll('~~~~', '')) };
    },
  };
}

export function isStrike(name: string, attributes: XmlAttributes): boolean {
  return name === 'strike' && isTrue(attributes.get('val') ?? 'true');
}

/**
 * Undoes `_x000D_`, the way workbooks write characters that XML can't hold. An escape that names no character (NUL, half of a
 * pair) stays unchanged.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (match, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? match : String.fromCharCode(code);
  });
}

/**
 * A workbook's table of texts; formatting runs are joined, readings (phonetic runs) left out, and texts of which something is struck
 * through are `struck` cells. Cells refer to it by index, so it is kept in memory whole, within bounds.
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
  for await (const chars of chunks) if (chars > limits.chars) throw unreadable(path, 'too-much-text');
  return strings;

  function readPlainItem(source: string, start: number): number {
    PLAIN_ITEM.lastIndex = start;
    const text = PLAIN_ITEM.exec(source)?.[1];
    if (text === undefined) return -1;
    add(unescapeText(text));
    return PLAIN_ITEM.lastIndex;
  }

  function add(text: Cell): void {
    if (strings.length >= limits.strings) throw unreadable(path, 'too-much-text');
    strings.push(text);
  }
}

/** An item in the form of nearly all items, with a text that is written as is. */
const PLAIN_ITEM = /<si><t(?: xml:space="preserve")?>([^<&\]]*)<\/t><\/si>/y;

/** A million rows of three long texts each, all different, stay below both. The characters are those of the XML. */
const LIMITS = { chars: 256 * 1024 * 1024, strings: 10_000_000 };
