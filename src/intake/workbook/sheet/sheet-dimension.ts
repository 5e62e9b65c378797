import type { Archive } from '../open-archive.js';
import { parseXml } from '../xml/parse-xml.js';
import { rowOf } from './cell-reference.js';

/**
 * The last row that a sheet claims to have, null when it claims none. Only the start of the part is read; writers that
 * don't know the number beforehand leave it out or write A1. So do empty sheets: for one that has no value at all it is 0.
 */
export async function readClaimedRows(path: string, archive: Archive, part: string): Promise<number | null> {
  let rows: number | null = null;
  let known = false;
  const chunks = parseXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'dimension') rows = rowOf(attributes.get('ref') ?? '');
      const maySayNothing = rows === null || rows <= 1;
      if (maySayNothing ? VALUES.has(name) : name === 'dimension' || name === 'sheetData') known = true;
    },
    close(name) {
      if (name !== 'sheetData' || known) return;
      known = true;
      rows = 0;
    },
  });
  for await (const _ of chunks) if (known) break;
  return rows;
}

/** Elements of a cell that has content. */
const VALUES: ReadonlySet<string> = new Set(['v', 'f', 'is']);
