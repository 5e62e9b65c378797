import { readBytes } from './read-bytes.js';

/** What a file is, as far as its first bytes show; its name says nothing. */
export interface FileKind {
  /** Follows "is" in a sentence: "a PDF document". */
  readonly name: string;
  /** What to do so that the file can be read; null for a file that can be read as is. */
  readonly remedy: string | null;
}

const KIND_BYTES = 16 * 1024;

/** @param head the file's first bytes, `KIND_BYTES` of them where it has so many. null: nothing known. */
export function kindOfFile(head: Uint8Array): FileKind | null {
  if (head.length === 0) {
    return { name: 'empty (0 bytes)', remedy: 'Export it again.' };
  }
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (isZip(bytes)) return kindOfArchive(bytes);
  if (isPgp(bytes)) return { name: 'encrypted with PGP', remedy: DECRYPTED_IN_INBOX };
  if (bytes.toString('latin1', TAR_MARK_AT, TAR_MARK_AT + TAR_MARK.length) === TAR_MARK)
    return { name: 'a tar archive', remedy: UNPACK };
  return KINDS.find(({ signature }) => startsWith(bytes, signature)) ?? kindOfText(bytes);
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

const ZIP_ARCHIVE = 'a zip archive';

const UNPACK = 'Unpack it and drop what is inside.';
const UNPACKED_IN_INBOX = 'An inbox unpacks it where match of its source covers its name.';
const DECRYPTED_IN_INBOX = 'An inbox decrypts it where decrypt of its source names the key.';
const SAVE_AS = 'Open it and save it as .xlsx.';
const EXPORT = 'Export the data as CSV or XLSX.';

const TAR_MARK = 'ustar';
const TAR_MARK_AT = 257;

/** Kinds that are known by their first bytes and not read. */
const KINDS = [
  { name: 'compressed with gzip', signature: [0x1f, 0x8b], remedy: UNPACKED_IN_INBOX },
  { name: 'compressed with bzip2', signature: [...Buffer.from('BZh91AY&SY')], remedy: UNPACK },
  { name: 'compressed with xz', signature: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], remedy: UNPACK },
  { name: 'compressed with Zstandard', signature: [0x28, 0xb5, 0x2f, 0xfd], remedy: UNPACK },
  { name: 'a 7-Zip archive', signature: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], remedy: UNPACK },
  { name: 'a RAR archive', signature: [...Buffer.from('Rar!\x1a\x07')], remedy: UNPACK },
  { name: 'a PDF document', signature: [...Buffer.from('%PDF-')], remedy: EXPORT },
  {
    // Microsoft's compound file holds both.
    name: 'a workbook in the old .xls format, or with a password',
    signature: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    remedy: 'Open it and save it as .xlsx, without a password.',
  },
] as const;

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
    return { name: 'a text document', remedy: EXPORT };
  }
  return { name: ZIP_ARCHIVE, remedy: UNPACKED_IN_INBOX };
}

function kindOfText(bytes: Buffer): FileKind | null {
  const encoding = startsWith(bytes, [0xff, 0xfe])
    ? 'utf-16le'
    : startsWith(bytes, [0xfe, 0xff])
      ? 'utf-16be'
      : 'utf-8';
  if (encoding === 'utf-8' && bytes.includes(0)) return null;
  const text = new TextDecoder(encoding).decode(bytes).trimStart();
  if (PAGE.test(text.slice(0, 200))) {
    return {
      name: 'an HTML page',
      remedy: `It may be a sign-in or error page saved in place of the export. ${EXPORT}`,
    };
  }
  if (/^<\?xml\b/i.test(text)) return { name: 'an XML document', remedy: EXPORT };
  const [first = '', second = ''] = text.split(/[\r\n]+/, 2);
  const isTable = [',', ';', '\t', '|'].some((mark) => first.includes(mark) && second.includes(mark));
  return isTable ? { name: 'a CSV file', remedy: null } : null;
}

const PAGE = /^(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|table|meta|script|style|div)\b/is;

/** Whether a file that begins with these bytes is a zip archive; it may still be no workbook. */
export function isZip(head: Uint8Array): boolean {
  return SIGNATURES.some((signature) => startsWith(head, signature));
}

/** A local file header, the end record of an archive without entries, and a split archive's mark. */
const SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x50, 0x4b, 0x07, 0x08],
] as const;

/** Whether a file that begins with these bytes is a PGP message, armoured or not; it may be one that is only signed. */
function isPgp(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  return isArmored(bytes) || isSessionKey(bytes);
}

export function isArmored(head: Buffer): boolean {
  return head.toString('latin1', 0, 64).trimStart().startsWith('-----BEGIN PGP MESSAGE-----');
}

/** The packet of a session key (RFC 9580, 5.1 and 5.3). Its version distinguishes it from a text that begins with such a letter. */
function isSessionKey(bytes: Buffer): boolean {
  const tag = bytes[0] ?? 0;
  const isOld = (tag & 0b1100_0000) === 0b1000_0000;
  const type = isOld ? (tag >> 2) & 0b1111 : tag & 0b0011_1111;
  const lengthBytes = isOld ? OLD_LENGTHS[tag & 0b11] : (bytes[1] ?? 0) < 192 ? 1 : 2;
  if (tag < 0b1000_0000 || lengthBytes === undefined) return false;
  return (VERSIONS[type] ?? []).includes(bytes[1 + lengthBytes] ?? 0);
}

const OLD_LENGTHS: readonly number[] = [1, 2, 4];

const PUBLIC_KEY = 1;
const PASSPHRASE = 3;
const VERSIONS: Readonly<Record<number, readonly number[]>> = {
  [PUBLIC_KEY]: [3, 6],
  [PASSPHRASE]: [4, 5, 6],
};

type ContainerKind = 'gzip' | 'zip' | 'pgp';

/** The kind of a container; null for any other file. A workbook is a zip archive too, and no container. */
export async function containerKind(path: string): Promise<ContainerKind | null> {
  const head = await headOf(path);
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (isPgp(head)) return 'pgp';
  return isZip(head) && !(await isDocument(path, head)) ? 'zip' : null;
}

/** The first bytes of a file, `KIND_BYTES` of them where it has so many. */
export async function headOf(path: string): Promise<Buffer> {
  for await (const bytes of readBytes(path, 0, KIND_BYTES)) return bytes.subarray(0, KIND_BYTES);
  return Buffer.alloc(0);
}

/** Parts that documents have: those of Office, OpenDocument and Apple. */
const DOCUMENT_PARTS =
  /^\/?(?:\[content_types\]\.xml|_rels\/\.rels|xl\/workbook\.(?:xml|bin)|mimetype|index\/[\w-]+\.iwa)$/i;

/** Whether an archive is a document: by its directory, or, where that can't be read, by its first names. */
async function isDocument(path: string, head: Buffer): Promise<boolean> {
  try {
    // Most look at names and first bytes alone.
    const { openZip, zipEntries } = await import('./zip-entries.js');
    const zip = await openZip(path);
    try {
      for await (const entry of zipEntries(path, zip)) {
        if (DOCUMENT_PARTS.test(entry.fileNameRaw.toString().replaceAll('\\', '/'))) return true;
      }
      return false;
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    return kindOfFile(head)?.name !== ZIP_ARCHIVE;
  }
}
