import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { type Cell, cellText, isBlankCell, isBlankRow } from '../domain/row.js';
import { hmacOf } from '../ledger/keys.js';
import type { Ledger } from '../ledger/query.js';
import {
  closeRefusal,
  dropsAfterRefusals,
  forgetSettledPrints,
  type LaterDrop,
  type NotedRefusal,
  noteRefusal,
  type RowPrints,
  refusalsToNote,
  type UnknownRefusal,
} from '../ledger/refused-drops.js';
import { keptRows } from '../ledger/row-blocks.js';
import { sha256Of } from '../workspace/copy-verified.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { errorCode, ioError } from '../workspace/io-error.js';
import { openDelivered } from './open-delivered.js';
import { isTooLarge } from './too-large.js';

/** Whose files are settled, and where they lie. */
interface SettleContext {
  readonly ledger: Ledger;
  readonly paths: WorkspacePaths;
  readonly sources: readonly SourceConfig[];
  readonly runId: number;
}

/**
 * Sees which files that were set aside have come in after all with what the run has taken in. The rows of a file that
 * this run set aside are remembered by salted hashes, as the file itself may be moved and corrected. A later drop of the
 * same source settles it when every row of the file is in that drop, cell for cell in order, but for rows at its
 * beginning that look like titles or a header: those may have been corrected. Nothing less does: neither the name, nor
 * most of the rows. Safe to repeat: a run that answers for a dead one does what that hadn't.
 */
export async function settleRefused({ ledger, paths, sources, runId }: SettleContext): Promise<void> {
  for (const refusal of refusalsToNote(ledger, runId)) {
    const source = sources.find(({ name }) => name === refusal.source);
    noteRefusal(ledger, refusal, await printsOf(refusal, source, paths, ledger.salt));
  }
  for (const drop of dropsAfterRefusals(ledger, runId)) settleBy(ledger, drop);
  forgetSettledPrints(ledger);
}

/** The drop's rows are gone through once, whatever the number of files that they may settle. */
function settleBy(ledger: Ledger, drop: LaterDrop): void {
  const print = printer(ledger.salt);
  const missing = drop.refusals.map((refusal) => ({ refusal, prints: new Set(printsIn(refusal)) }));
  let headers = 0;
  for (const { line, cells } of keptRows(ledger, drop.dropId)) {
    if (line <= drop.headerLine) headers += 1;
    const found = print(cells);
    for (const { prints } of missing) prints.delete(found);
  }
  for (const { refusal, prints } of missing) {
    if (isCovered(refusal, prints, headers)) closeRefusal(ledger, refusal.dropId, drop.dropId);
  }
}

/** @param headers rows up to the later drop's header: more than these nobody has corrected into it. */
function isCovered(refusal: NotedRefusal, missing: ReadonlySet<string>, headers: number): boolean {
  const prints = printsIn(refusal);
  const free = Math.min(refusal.leading, headers);
  return prints.length > free && prints.every((print, index) => index < free || !missing.has(print));
}

const PRINT_BYTES = 8;

/** So many rows are remembered of a file that was set aside; a larger one is settled by its bytes or by a person. */
const MOST_PRINTS = 1_000_000;

function printsIn({ prints }: NotedRefusal): string[] {
  return Array.from({ length: prints.length / PRINT_BYTES }, (_, index) =>
    prints.toString('hex', index * PRINT_BYTES, (index + 1) * PRINT_BYTES),
  );
}

const UNREAD: RowPrints = { leading: 0, prints: null };

/** The rows of the file as it lies in rejected/. */
async function printsOf(
  refusal: UnknownRefusal,
  source: SourceConfig | undefined,
  paths: WorkspacePaths,
  salt: string,
): Promise<RowPrints> {
  // A sheet of corrections is settled by its own bytes alone: what it corrects is told of by itself.
  const isFile = source !== undefined && refusal.part === '' && !isTooLarge(refusal.bytes, source);
  const path = isFile ? await rejectedFile(refusal, paths) : null;
  if (source === undefined || path === null) return UNREAD;
  const print = printer(salt);
  const batches: Buffer[] = [];
  let rows = 0;
  let leading = 0;
  try {
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
  } catch (error) {
    // That is why it was set aside, or somebody has just moved it: then only the same bytes, or a person, settle it.
    if (error instanceof OperatorError) return UNREAD;
    throw error;
  }
}

/** Titles and headers are words; a row of data has an address, a number or a date. */
function mayBeHeader(cells: readonly Cell[]): boolean {
  return cells.every(
    (cell) =>
      isBlankCell(cell) || (typeof cell === 'string' && !/@|^[\s\d.,:/+-]+$|\d{4}-\d|\d[./]\d/.test(cell)),
  );
}

/** The hash of a row's cells, empty ones left out, each as a person reads it. */
function printer(salt: string): (cells: readonly Cell[]) => string {
  const hmac = hmacOf(salt);
  return (cells) => {
    const texts = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cellText(cell).trim());
    return hmac(`["row/1",${JSON.stringify(texts)}]`).slice(0, 2 * PRINT_BYTES);
  };
}

/** Where the file lies that was set aside, whatever number its name got; null where somebody has moved it. */
async function rejectedFile(refusal: UnknownRefusal, paths: WorkspacePaths): Promise<string | null> {
  const folder = join(paths.rejected, refusal.source);
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const { size } = await stat(path);
      if (size === refusal.bytes && (await sha256Of(path)) === refusal.sha256) return path;
    }
    return null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw ioError('look for a file that was set aside', folder, error);
  }
}
