import { rowOf } from './cell-reference.js';
import type { Archive } from './open-archive.js';
import { parseXml } from './parse-xml.js';

/**
 * The last row that a sheet claims to have, null when it claims none. Only the start of the part is read; writers that
 * don't know the number beforehand leave it out or write A1.
 */
export async function readClaimedRows(path: string, archive: Archive, part: string): Promise<number | null> {
  let rows: number | null = null;
  let known = false;
  const chunks = parseXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'dimension') rows = rowOf(attributes.get('ref') ?? '');
      if (name === 'dimension' || name === 'sheetData') known = true;
    },
  });
  for await (const _ of chunks) if (known) break;
  return rows;
}
