import type { Archive } from './open-archive.js';
import { parseWholeXml } from './parse-xml.js';
import { richText } from './rich-text.js';
import { unreadable } from './unreadable.js';

/**
 * A workbook's table of texts, in order; formatting runs are joined, readings (phonetic runs) left out. Cells refer
 * to it by index, so it is kept in memory whole, within bounds.
 */
export async function readSharedStrings(
  path: string,
  archive: Archive,
  part: string,
  limits: Readonly<typeof LIMITS> = LIMITS,
): Promise<readonly string[]> {
  const strings: string[] = [];
  let chars = 0;
  const item = richText();
  await parseWholeXml(path, archive, part, {
    open: (name) => item.open(name),
    text: (text) => item.text(text),
    close(name) {
      item.close(name);
      if (name !== 'si') return;
      const text = item.take();
      chars += text.length;
      if (chars > limits.chars || strings.length >= limits.strings) {
        throw unreadable(
          path,
          'the workbook holds more text than fits into memory',
          'Save the data in several workbooks, or as CSV.',
        );
      }
      strings.push(text);
    },
  });
  return strings;
}

/** A million rows of three long texts each, all different, stay below both. */
const LIMITS = { chars: 256 * 1024 * 1024, strings: 10_000_000 };
