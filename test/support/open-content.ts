import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../src/domain/row.js';
import { openDrop } from '../../src/intake/open-drop.js';
import type { OpenedDrop, OpenOptions } from '../../src/intake/opened-drop.js';
import { tempFolder } from './temp-folder.js';
import { type WorkbookSpec, workbookParts } from './workbook-parts.js';
import { writeZip } from './write-zip.js';

/** Writes a file with this content into a folder of the running test. */
export function writeDrop(content: string | Buffer, name = 'drop'): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Opens a file with this content. */
export function openContent(content: string | Buffer, options: OpenOptions = {}): Promise<OpenedDrop> {
  return openDrop(writeDrop(content), options);
}

/** Opens a workbook of hand-written parts. */
export function openWorkbookOf(spec: WorkbookSpec): Promise<OpenedDrop> {
  return openContent(writeZip(workbookParts(spec)));
}

/** All rows of a drop in one list. */
export async function allRows(drop: OpenedDrop, sheet?: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of drop.rows(sheet)) rows.push(...batch);
  return rows;
}

/** All rows as pairs of line and cells, which read better in expectations. */
export async function lines(drop: OpenedDrop, sheet?: string): Promise<readonly (readonly unknown[])[]> {
  return (await allRows(drop, sheet)).map((row) => [row.line, row.cells]);
}
