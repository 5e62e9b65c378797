import type { Row } from '../../../domain/row.js';
import type { Archive } from '../open-archive.js';
import { parseXml } from '../xml/parse-xml.js';
import { type SheetContext, sheetCells } from './sheet-cells.js';

/** Rows and cells, gaps included, after which a batch is full: a row of XFD alone is as large as 1600 ordinary ones. */
const BATCH_ROWS = 500;
const BATCH_CELLS = 100_000;

/** The rows of a sheet that hold a value, in batches; those before a damage are given before it is thrown. */
export async function* readSheetRows(
  path: string,
  archive: Archive,
  part: string,
  context: SheetContext,
): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  let cells = 0;
  const handlers = sheetCells(path, context, (row) => {
    batch.push(row);
    cells += row.cells.length;
  });
  try {
    for await (const _ of parseXml(path, archive, part, handlers)) {
      if (batch.length < BATCH_ROWS && cells < BATCH_CELLS) continue;
      yield batch;
      batch = [];
      cells = 0;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
