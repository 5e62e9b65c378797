import { filterInTurn } from '../../domain/process/in-turn.js';
import type { Row } from '../../domain/row.js';
import { rowsOfBlock } from '../drops/rows/row-blocks.js';
import { erasing } from '../store/compact.js';
import type { Ledger } from '../store/query.js';
import { type KeptBlock, keepRows, keptBlocks } from './erase-cells.js';
import { forgetRow, isRecord, learnerColumns } from './forgetting.js';
import type { Person } from './person.js';

/** Rows whose cells name a person. */
export interface NamingRows {
  /** Rows about the person: all their cells are erased. */
  readonly rows: number;
  /** Rows about another learner, or none, that name the person in another column: that cell is erased. */
  readonly mentions: number;
}

/** Blocks looked through between two transactions, some thousand rows. */
const BLOCKS_AT_ONCE = 20;

/** Reads all kept rows and counts those that name the person, some thousand for each step; writes nothing. */
export async function* findCells(ledger: Ledger, person: Person): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for (const blocks of keptBlocks(ledger, BLOCKS_AT_ONCE)) {
    const found = { rows: 0, mentions: 0 };
    for (const block of blocks) add(found, await changeOf(ledger, person, block, columns));
    yield found;
  }
}

/** Reads all kept rows likewise and erases the cells that name the person, one transaction for each step. */
export async function* eraseCells(
  ledger: Ledger,
  person: Person,
  decisionId: number,
): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for (const blocks of keptBlocks(ledger, BLOCKS_AT_ONCE)) {
    const erased = { rows: 0, mentions: 0 };
    const naming = await filterInTurn(blocks, async (block) =>
      isChange(await changeOf(ledger, person, block, columns)),
    );
    if (naming.length > 0) {
      await erasing(ledger, async (ledger) => {
        for (const block of naming) {
          // Read again within the transaction: another process may have erased rows of the block in between.
          const change = await changeOf(ledger, person, block, columns);
          if (!isChange(change)) continue;
          await keepRows(ledger, block, change.kept);
          for (const line of change.erased) await forgetRow(ledger, decisionId, block.dropId, line);
          add(erased, change);
        }
      });
    }
    yield erased;
  }
}

function add(sum: { rows: number; mentions: number }, { rows, mentions }: NamingRows): void {
  sum.rows += rows;
  sum.mentions += mentions;
}

/** The change of a block. */
interface BlockChange extends NamingRows {
  readonly kept: readonly Row[];
  /** Lines of rows that are erased. */
  readonly erased: readonly number[];
}

function isChange({ rows, mentions }: NamingRows): boolean {
  return rows + mentions > 0;
}

async function changeOf(
  ledger: Ledger,
  person: Person,
  block: KeptBlock,
  columns: ReadonlyMap<number, number>,
): Promise<BlockChange> {
  const rows = await rowsOfBlock(ledger, block);
  const left = rows.map((row) => withoutPerson(ledger, person, block.dropId, row, columns));
  const kept = left.filter((row) => row !== null);
  const erased = rows.filter((_, index) => left[index] === null).map(({ line }) => line);
  const mentions = left.filter((row, index) => row !== null && row !== rows[index]).length;
  return { kept, erased, rows: erased.length, mentions };
}

/**
 * The row as it may be kept; null: it is about the person. A row that is no record is about the person too, where the person's
 * name is in its learner column or its learner column is unknown.
 */
function withoutPerson(
  ledger: Ledger,
  { mentions, lines }: Person,
  dropId: number,
  row: Row,
  columns: ReadonlyMap<number, number>,
): Row | null {
  if (lines.get(dropId)?.has(row.line)) return null;
  const column = columns.get(dropId);
  const isNaming = row.cells.map((cell, index) => mentions.inCell(cell, index === column));
  if (!isNaming.includes(true)) return row;
  const isTheirs = column === undefined || isNaming[column] === true;
  if (isTheirs && !isRecord(ledger, dropId, row.line)) return null;
  return { line: row.line, cells: row.cells.map((cell, index) => (isNaming[index] ? null : cell)) };
}
