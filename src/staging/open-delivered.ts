import type { SourceConfig } from '../config/schema.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { looksLikeAttention } from './attention-sheet.js';
import { sampleRows } from './plan-drop.js';

/**
 * Opens a file as its source says that its files are written; but an attention file as it shows itself, for it is
 * written by Registrar and saved by whatever program it was corrected in. Throws what opening throws.
 */
export async function openDelivered(path: string, source: SourceConfig): Promise<OpenedDrop> {
  const opened = await openDrop(path, source);
  const isDeclared = [source.encoding, source.delimiter, source.rowEnd].some((given) => given !== undefined);
  if (!isDeclared || opened.workbook || !looksLikeAttention(await sampleRows(opened))) return opened;
  return openDrop(path, {}, opened.seen);
}
