import type { OperatorError } from '../../../domain/operator-error.js';
import { unreadable } from '../../unreadable.js';
import type { Archive } from '../open-archive.js';
import { decodeXml } from './decode-xml.js';
import { ownVocabulary, type XmlHandlers } from './own-vocabulary.js';
import { malformed, type XmlAttributes, XmlFault } from './xml-parser.js';
import { xmlScanner } from './xml-scanner.js';

/**
 * Feeds a part of an archive to the handlers, and yields the number of characters so far after every piece, so that the caller
 * can pass on what it has, or stop. Throws OperatorError for XML that is broken, or built to exhaust its reader.
 */
export async function* parseXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): AsyncGenerator<number> {
  const parser = xmlScanner(ownVocabulary(handlers));
  let chars = 0;
  try {
    for await (const text of decodeXml(archive.read(part))) {
      chars += text.length;
      parser.write(text);
      yield chars;
    }
    parser.end();
  } catch (error) {
    throw error instanceof XmlFault ? refusal(path, part, error) : error;
  }
}

/** Like `parseXml`, to the end and at once: for parts that are small in any workbook. */
export async function parseSmallXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const chars of parseXml(path, archive, part, handlers)) {
    if (chars > SMALL_CHARS_MAX) {
      throw refusal(path, part, malformed(`more than ${SMALL_CHARS_MAX} characters`));
    }
  }
}

/** Styles reach some megabytes in old workbooks; the whole content of such a part is kept in memory. */
const SMALL_CHARS_MAX = 32 * 1024 * 1024;

/** The value of an attribute with this local name and any prefix, such as `id` of `r:id`. */
export function prefixedAttribute(attributes: XmlAttributes, local: string): string | undefined {
  return [...attributes].find(([name]) => name.endsWith(`:${local}`))?.[1];
}

function refusal(path: string, part: string, fault: XmlFault): OperatorError {
  return fault.kind === 'doctype'
    ? unreadable(
        path,
        `the workbook's part ${part} holds a document type declaration, which no workbook has`,
        'Do not open it; ask the sender how it was made.',
        fault,
      )
    : unreadable(
        path,
        `the workbook is damaged: its part ${part} is not sound XML`,
        'Open it in Excel or LibreOffice and save it anew.',
        fault,
      );
}
