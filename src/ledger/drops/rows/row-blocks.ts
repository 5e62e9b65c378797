import { OperatorError } from '../../../domain/operator-error.js';
import type { Cell, Row } from '../../../domain/row.js';
import { all, first, type Ledger, prepared, query } from '../../store/query.js';
import { blockSum } from '../../submissions/record/checksum.js';
import type { DropTable } from './drop-table.js';
import { type RowBlock, unpackRows } from './pack-rows.js';

/** Keeps a block. Call it in the transaction that writes its rows. */
export function insertRowBlock(ledger: Ledger, dropId: number, block: RowBlock): void {
  const { firstLine, lastLine, rows, cells } = block;
  prepared(ledger, INSERT_BLOCK).run(dropId, firstLine, lastLine, rows, cells, blockSum(dropId, block));
}

/**
 * Streams a drop's rows as they were read, in line order, without blank and erased ones. Throws OperatorError where a block is
 * damaged. Personal.
 * @param of the drop's number, or its table: then the rows of all sheets of the table, sheet by sheet.
 * @param which `notes`: only its titles and notes, the first thousand of a drop.
 */
export async function* keptRows(
  ledger: Ledger,
  of: number | DropTable,
  which: 'all' | 'notes' = 'all',
): AsyncGenerator<Row> {
  const rowsOf = which === 'all' ? rowsOfDrop : notesOfDrop;
  const sheets = typeof of === 'number' ? [{ dropId: of, afterLine: 0 }] : of.sheets;
  for (const { dropId, afterLine } of sheets) {
    for await (const row of rowsOf(ledger, dropId)) if (row.line > afterLine) yield row;
  }
}

async function* notesOfDrop(ledger: Ledger, dropId: number): AsyncGenerator<Row> {
  const notes = await all(
    ledger,
    query
      .selectFrom('issue')
      .select('line')
      .where('drop_id', '=', dropId)
      .where('code', 'in', ['row-preamble', 'row-note'])
      .orderBy('line')
      .limit(MAX_NOTES),
  );
  const cellsAt = cellsByLine(ledger, dropId);
  for (const { line } of notes) {
    const cells = await cellsAt(line);
    if (cells !== null) yield { line, cells };
  }
}

/** A table may repeat its notes on every page. */
const MAX_NOTES = 1_000;

async function* rowsOfDrop(ledger: Ledger, dropId: number): AsyncGenerator<Row> {
  const firstLines = await all(
    ledger,
    query
      .selectFrom('row_block')
      .select('first_line as firstLine')
      .where('drop_id', '=', dropId)
      .orderBy('first_line'),
  );
  // One query a block: the connection is free for heartbeats in between.
  for (const { firstLine } of firstLines) {
    yield* await rowsOfBlock(ledger, { dropId, firstLine });
  }
}

/** The rows of a block as they are kept. Throws OperatorError where the block is damaged. Personal. */
export async function rowsOfBlock(
  ledger: Ledger,
  { dropId, firstLine }: { readonly dropId: number; readonly firstLine: number },
): Promise<Row[]> {
  const block = await first(
    ledger,
    storedBlocks.where('drop_id', '=', dropId).where('first_line', '=', firstLine),
  );
  if (block === undefined) return [];
  const rows = unpackSound(block);
  if (rows === null) throw damagedCells(block);
  return rows;
}

/** The query for blocks. */
const storedBlocks = query
  .selectFrom('row_block')
  .select(['drop_id as dropId', 'first_line as firstLine', 'last_line as lastLine', 'rows', 'cells', 'sum']);

/** A block of cells with its place. */
export interface StoredBlock extends Omit<RowBlock, 'cells'> {
  readonly dropId: number;
  readonly cells: Uint8Array | null;
  readonly sum: number;
}

/** The rows of a block, none where it was erased; null where it is damaged. Personal. */
function unpackSound(block: StoredBlock): Row[] | null {
  return isBlockSound(block) ? unpackRows(block.cells) : null;
}

/** False where a block differs from what was written; true where it was erased. */
export function isBlockSound({ cells, ...block }: StoredBlock): boolean {
  return cells === null || blockSum(block.dropId, { ...block, cells }) === block.sum;
}

/** The error for damaged cells, with what to do. */
function damagedCells({ dropId, firstLine, lastLine }: StoredBlock): OperatorError {
  return new OperatorError({
    operation: 'read the cells that the ledger keeps',
    subject: `drop ${dropId}`,
    message: `what the ledger keeps of lines ${firstLine} to ${lastLine} of drop ${dropId} is damaged`,
    hint: 'Restore a backup: registrar restore FILE --because TEXT.',
    exit: 'io',
  });
}

/**
 * Looks up the cells of a drop's rows by line; null for a blank, an erased or a damaged row. Remembers the last block: lines asked
 * in order unpack each block once. Personal.
 */
export function cellsByLine(
  ledger: Ledger,
  dropId: number,
): (line: number) => Promise<readonly Cell[] | null> {
  let from = 0;
  let to = 0;
  let rows = new Map<number, readonly Cell[]>();
  return async (line) => {
    if (line < from || line > to) {
      const block = await blockWith(ledger, dropId, line);
      from = block?.firstLine ?? line;
      to = block?.lastLine ?? line;
      const kept = block === undefined ? [] : (unpackSound(block) ?? []);
      rows = new Map(kept.map((row) => [row.line, row.cells]));
    }
    return rows.get(line) ?? null;
  };
}

/** The block of a drop with this line, if there is one. Personal. */
export async function blockWith(
  ledger: Ledger,
  dropId: number,
  line: number,
): Promise<StoredBlock | undefined> {
  return prepared(ledger, BLOCK_WITH).get(dropId, line) as StoredBlock | undefined;
}

const BLOCK_WITH = storedBlocks
  .where('drop_id', '=', 0)
  .where('first_line', '<=', 0)
  .orderBy('first_line', 'desc')
  .limit(1)
  .compile().sql;

const INSERT_BLOCK = query
  .insertInto('row_block')
  .values({ drop_id: 0, first_line: 0, last_line: 0, rows: 0, cells: Buffer.alloc(0), sum: 0 })
  .compile().sql;
