import { isPgp, isZip, KIND_BYTES, kindOfFile, ZIP_ARCHIVE } from '../kind-of-file.js';
import { readBytes } from '../read-bytes.js';
import { openZip } from '../zip-entries.js';

/** The kinds of container that are unpacked. */
export type ContainerKind = 'gzip' | 'zip' | 'pgp';

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

/** More names than documents have before the first of these. */
const NAMES_MAX = 10_000;

/** Whether an archive is a document: by its directory, or, where that can't be read, by its first names. */
async function isDocument(path: string, head: Buffer): Promise<boolean> {
  try {
    const zip = await openZip(path);
    try {
      let names = 0;
      for await (const entry of zip.eachEntry()) {
        names += 1;
        if (names > NAMES_MAX) return false;
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
