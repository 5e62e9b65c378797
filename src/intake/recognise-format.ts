import { isZip } from './is-zip.js';
import { readBytes } from './read-bytes.js';
import type { ByteSurvey } from './text/encoding/survey-bytes.js';
import { unreadable } from './unreadable.js';

/**
 * What kind of file the bytes are; its name says nothing. `zip` may still be no workbook and `text` no table.
 * Throws for kinds that are known and not read.
 */
export async function recogniseFormat(path: string, survey: ByteSurvey): Promise<'zip' | 'text'> {
  if (survey.identity.bytes === 0) {
    throw unreadable(path, 'the file is empty (0 bytes)', 'Export it again; the transfer may have failed.');
  }
  if (isZip(survey.head)) return 'zip';
  if (startsWith(survey.head, COMPOUND)) throw await compoundRefusal(path);
  const known = PACKED.find(({ signature }) => startsWith(survey.head, signature));
  if (known !== undefined) throw unreadable(path, `the file is ${known.name}`, known.hint);
  return 'text';
}

/** True when a file that begins with `head` has this signature. */
export function startsWith(head: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => head[at] === byte);
}

/** Throws when a text is a page or a document that only looks like a table in a browser. */
export function assertNoMarkup(path: string, text: string): void {
  const start = text.trimStart().slice(0, 200);
  if (/^(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|table|meta|script|style|div)\b/is.test(start)) {
    throw unreadable(
      path,
      'the file is an HTML page',
      'It may be a login or error page saved in place of the export; some systems also call a page .xls. Export as CSV or XLSX.',
    );
  }
  if (/^<\?xml\b/i.test(start)) {
    throw unreadable(path, 'the file is an XML document', 'Export it as CSV or XLSX.');
  }
}

/** Microsoft's compound file: the container of .xls, and of an .xlsx with a password. */
export const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const;

export const UNPACK = 'Unpack it and drop what is inside.';

/** Kinds that are known by their first bytes and not read. */
export const PACKED = [
  { name: 'compressed with gzip', signature: [0x1f, 0x8b], hint: UNPACK },
  { name: 'compressed with bzip2', signature: [...Buffer.from('BZh91AY&SY')], hint: UNPACK },
  { name: 'compressed with xz', signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], hint: UNPACK },
  { name: 'compressed with Zstandard', signature: [0x28, 0xb5, 0x2f, 0xfd], hint: UNPACK },
  { name: 'a 7-Zip archive', signature: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], hint: UNPACK },
  { name: 'a RAR archive', signature: [...Buffer.from('Rar!\x1a\x07')], hint: UNPACK },
  { name: 'a PDF document', signature: [...Buffer.from('%PDF-')], hint: 'Export the data as CSV or XLSX.' },
] as const;

async function compoundRefusal(path: string) {
  return (await fileContains(path, Buffer.from('EncryptedPackage', 'utf16le')))
    ? unreadable(
        path,
        'the workbook is protected by a password',
        'Save it without a password (File, Info, Protect Workbook) and drop it again.',
      )
    : unreadable(
        path,
        'the file is a workbook in the old .xls format',
        'Open it and save it as .xlsx or CSV.',
      );
}

async function fileContains(path: string, needle: Buffer): Promise<boolean> {
  let tail = Buffer.alloc(0);
  for await (const chunk of readBytes(path)) {
    const window = Buffer.concat([tail, chunk]);
    if (window.includes(needle)) return true;
    tail = window.subarray(-(needle.length - 1));
  }
  return false;
}
