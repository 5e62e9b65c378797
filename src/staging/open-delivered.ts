import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { SourceConfig } from '../config/schema.js';
import { sizeWords } from '../config/values/file-size.js';
import type { DropIdentity } from '../domain/drop.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { readBytes } from '../intake/read-bytes.js';
import { surveyBytes } from '../intake/text/encoding/survey-bytes.js';
import { explainFailure, unreadable } from '../intake/unreadable.js';
import { correctionSheets } from '../reading/plan-drop.js';

/**
 * Opens a file with its source's format settings. A corrected file is opened by its content instead: Registrar wrote
 * it, and any program may have saved it. Throws what `openDrop` throws.
 */
export async function openDelivered(path: string, source: SourceConfig): Promise<OpenedDrop> {
  requireTakenSize(path, source);
  const isDeclared = [source.encoding, source.delimiter, source.rowEnd, source.quote, source.escape].some(
    (given) => given !== undefined,
  );
  return (isDeclared ? await correctionFile(path) : null) ?? openDrop(path, source);
}

/** Opens a corrected file by its content; null: it is another file, or can't be read so. */
async function correctionFile(path: string): Promise<OpenedDrop | null> {
  try {
    for await (const bytes of readBytes(path)) {
      // In UTF-16 each of these letters has a zero byte beside it.
      if (!bytes.toString('latin1').replaceAll('\0', '').includes('_drop')) return null;
      break;
    }
    const opened = await openDrop(path, {});
    return (await correctionSheets(opened)).length > 0 ? opened : null;
  } catch {
    return null;
  }
}

type SizeRule = Pick<SourceConfig, 'largestFileBytes'>;

/** Throws OperatorError for a file that is larger than its source takes, without reading it. */
export function requireTakenSize(path: string, source: SizeRule): void {
  const bytes = sizeOf(path);
  if (bytes <= source.largestFileBytes) return;
  throw unreadable(
    path,
    `the file has ${sizeWords(bytes)}, and its source takes ${sizeWords(source.largestFileBytes)} at most`,
    'It was not read. Export it in parts; or, to import such files, raise largestFile for the source in registrar.yaml, drop the file again and dismiss this refusal.',
  );
}

/**
 * The identity of a refused file: its size and hash. For a file that is too large only the first and last 64 KiB are
 * hashed: the whole would take long, and a sparse file may be larger than the disk.
 */
export async function identityToRefuse(path: string, source: SizeRule): Promise<DropIdentity> {
  const bytes = sizeOf(path);
  if (bytes <= source.largestFileBytes) return (await surveyBytes(path)).identity;
  const hash = createHash('sha256').update(`too large: ${bytes} bytes\n`);
  const file = openSync(path, 'r');
  try {
    for (const at of [0, bytes - END_BYTES]) {
      const end = Buffer.alloc(END_BYTES);
      hash.update(end.subarray(0, readSync(file, end, 0, END_BYTES, Math.max(0, at))));
    }
  } finally {
    closeSync(file);
  }
  return { sha256: hash.digest('hex'), bytes };
}

const END_BYTES = 64 * 1024;

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw explainFailure(path, error);
  }
}
