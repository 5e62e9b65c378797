import type { SourceConfig } from '../config/schema.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { readBytes } from '../intake/read-bytes.js';
import { correctionSheets } from '../reading/plan-drop.js';
import { requireTakenSize } from './too-large.js';

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
