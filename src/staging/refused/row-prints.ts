import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Cell, isBlankCell, isBlankRow } from '../../domain/row.js';
import { fileStamp } from '../../intake/file-stamp.js';
import { printer, type RowPrints, UNREAD } from '../../ledger/drops/refused/row-prints.js';
import { errorCode } from '../../workspace/files/io-error.js';
import { openDelivered } from '../open-delivered.js';

import { isTooLarge } from './too-large.js';

/**
 * The most rows that are remembered of a file that was set aside. A file with more rows is closed by its bytes or by a
 * person.
 */
const MOST_PRINTS = 1_000_000;

/**
 * The salted hashes of the rows of a file that is being set aside: the file itself may be moved and corrected later.
 * @param stamp of the file as it was refused.
 */
export async function printsOf(
  { path, stamp }: { readonly path: string; readonly stamp: string },
  bytes: number,
  source: SourceConfig,
  salt: string,
): Promise<RowPrints> {
  if (isTooLarge(bytes, source)) return UNREAD;
  try {
    const prints = await readPrints(path, source, salt);
    return (await fileStamp(path)) === stamp ? prints : UNREAD;
  } catch (error) {
    // The file can't be read: that is why it is being set aside, or somebody has just moved it.
    if (error instanceof OperatorError || errorCode(error) !== null) return UNREAD;
    throw error;
  }
}

async function readPrints(path: string, source: SourceConfig, salt: string): Promise<RowPrints> {
  const print = printer(salt);
  const batches: Buffer[] = [];
  let rows = 0;
  let leading = 0;
  const opened = await openDelivered(path, source);
  for await (const batch of opened.rows(source.sheet)) {
    const prints: string[] = [];
    for (const { cells } of batch) {
      if (isBlankRow(cells)) continue;
      if (leading === rows && mayBeHeader(cells)) leading += 1;
      rows += 1;
      prints.push(print(cells));
    }
    batches.push(Buffer.from(prints.join(''), 'hex'));
    if (rows > MOST_PRINTS) return UNREAD;
  }
  return { leading, prints: Buffer.concat(batches) };
}

/** Titles and headers are words; a row of data has an address, a number or a date. */
function mayBeHeader(cells: readonly Cell[]): boolean {
  return cells.every(
    (cell) =>
      isBlankCell(cell) || (typeof cell === 'string' && !/@|^[\s\d.,:/+-]+$|\d{4}-\d|\d[./]\d/.test(cell)),
  );
}
