import type { SourceConfig } from '../config/schema.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { attentionSheet, looksLikeAttention } from './attention-sheet.js';
import { sampleRows } from './plan-drop.js';

/**
 * Opens a file as its source says that its files are written; but an attention file as it shows itself, for it is
 * written by Registrar and saved by whatever program it was corrected in. Throws what opening throws.
 */
export async function openDelivered(path: string, source: SourceConfig): Promise<OpenedDrop> {
  const isDeclared = [source.encoding, source.delimiter, source.rowEnd].some((given) => given !== undefined);
  if (!isDeclared) return openDrop(path, source);
  try {
    const opened = await openDrop(path, source);
    if (opened.workbook || !(await isSuspect(opened))) return opened;
    return (await attentionFile(path)) ?? opened;
  } catch (error) {
    const attention = await attentionFile(path);
    if (attention) return attention;
    throw error;
  }
}

/** Cut at the wrong delimiter, a sound file may look damaged as well. */
async function isSuspect(opened: OpenedDrop): Promise<boolean> {
  try {
    return looksLikeAttention(await sampleRows(opened));
  } catch {
    return true;
  }
}

/** The file, where it shows itself to be an attention file; null where it doesn't, or can't be read that way either. */
async function attentionFile(path: string): Promise<OpenedDrop | null> {
  try {
    const opened = await openDrop(path, {});
    return attentionSheet(await sampleRows(opened), null) ? opened : null;
  } catch {
    return null;
  }
}
