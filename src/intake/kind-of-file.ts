import { isZip } from './is-zip.js';
import { COMPOUND, PACKED, startsWith, UNPACK } from './recognise-format.js';

/** What a file is, as far as its first bytes show. */
export interface FileKind {
  /** Follows "is" in a sentence: "a PDF document". */
  readonly name: string;
  /** What to do so that the file can be read; null for a file that can be read as it is. */
  readonly remedy: string | null;
}

/** Enough for the first names within an archive. */
export const KIND_BYTES = 16 * 1024;

/** @param head the file's first bytes, `KIND_BYTES` of them where it has so many. null: nothing known. */
export function kindOfFile(head: Uint8Array): FileKind | null {
  if (head.length === 0) return { name: 'empty (0 bytes)', remedy: 'Export it again.' };
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (isZip(bytes)) return kindOfArchive(bytes);
  if (startsWith(bytes, COMPOUND)) return OLD_EXCEL;
  const packed = PACKED.find(({ signature }) => startsWith(bytes, signature));
  if (packed !== undefined) return { name: packed.name, remedy: packed.hint };
  return kindOfText(bytes);
}

const OLD_EXCEL = {
  name: 'a workbook in the old .xls format, or one with a password',
  remedy: 'Open it and save it as .xlsx, without a password.',
} as const;

/** An archive has each entry's name before the entry; names are never compressed. */
function kindOfArchive(bytes: Buffer): FileKind {
  const text = bytes.toString('latin1');
  if (text.includes('opendocument.spreadsheet')) {
    return { name: 'an OpenDocument spreadsheet (.ods)', remedy: SAVE_AS };
  }
  if (text.includes('xl/workbook.bin')) return { name: 'a binary workbook (.xlsb)', remedy: SAVE_AS };
  if (/\bIndex\/[\w-]+\.iwa/.test(text)) return { name: 'a Numbers document', remedy: SAVE_AS };
  if (text.includes('xl/')) return { name: 'an Excel workbook', remedy: null };
  if (text.includes('word/') || text.includes('opendocument.text')) {
    return { name: 'a text document', remedy: 'Export the data as CSV or XLSX.' };
  }
  return { name: 'a zip archive', remedy: UNPACK };
}

const SAVE_AS = 'Open it and save it as .xlsx.';

function kindOfText(bytes: Buffer): FileKind | null {
  const isWide = startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);
  if (bytes.includes(0) && !isWide) return null;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8').trimStart();
  if (/^<(?:!doctype|html|head|body|table|\?xml)/i.test(text)) {
    return { name: 'a page or an XML document', remedy: 'Export the data as CSV or XLSX.' };
  }
  const [first = '', second = ''] = text.split(/[\r\n]+/, 2);
  const isTable = [',', ';', '\t', '|'].some((mark) => first.includes(mark) && second.includes(mark));
  return isTable ? { name: 'a CSV file', remedy: null } : null;
}
