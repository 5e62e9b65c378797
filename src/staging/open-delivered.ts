import type { SourceConfig } from '../config/schema.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { correctionSheet, looksLikeCorrections } from '../reading/correction-file.js';
import { sampleRows } from '../reading/plan-drop.js';
import { requireTakenSize } from './refused/too-large.js';

/**
 * Opens a file by its source's settings of how files are written. A file of corrections is opened by its content instead,
 * because Registrar wrote it and any program may have saved it. Throws what opening throws.
 */
export async function openDelivered(path: string, source: SourceConfig): Promise<OpenedDrop> {
  requireTakenSize(path, source);
  const isDeclared = [source.encoding, source.delimiter, source.rowEnd, source.quote, source.escape].some(
    (given) => given !== undefined,
  );
  if (!isDeclared) return openDrop(path, source);
  try {
    const opened = await openDrop(path, source);
    if (opened.workbook || !(await isSuspect(opened))) return opened;
    return (await correctionFile(path)) ?? opened;
  } catch (error) {
    const corrections = await correctionFile(path);
    if (corrections) return corrections;
    throw error;
  }
}

/** Cut at the wrong delimiter, a sound file may look damaged as well. */
async function isSuspect(opened: OpenedDrop): Promise<boolean> {
  try {
    return looksLikeCorrections(await sampleRows(opened));
  } catch {
    return true;
  }
}

/**
 * The file opened by its content, where that is a file of corrections; null where it is another file or can't be read that
 * way either.
 */
async function correctionFile(path: string): Promise<OpenedDrop | null> {
  try {
    const opened = await openDrop(path, {});
    return correctionSheet(await sampleRows(opened), null) ? opened : null;
  } catch {
    return null;
  }
}
