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
  /** Rows about the person: their cells go as a whole. */
  readonly rows: number;
  /** Rows about somebody else, or nobody, that name the person in another column: that cell goes. */
  readonly mentions: number;
}

/** Blocks looked through between two transactions, some thousand rows. */
const BLOCKS_AT_ONCE = 20;

/** Goes through all kept rows, and counts those that name the person, some thousand for each step; writes nothing. */
export async function* findCells(ledger: Ledger, person: Person): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for (const blocks of keptBlocks(ledger, BLOCKS_AT_ONCE)) {
    const found = { rows: 0, mentions: 0 };
    for (const block of blocks) add(found, await changeOf(ledger, person, block, columns));
    yield found;
  }
}

/** Goes through them likewise, and erases what names the person, in one transaction for each step. */
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
          // Read again in here: another process may have erased rows of it in between.
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

/** What becomes of a block. */
interface BlockChange extends NamingRows {
  readonly kept: readonly Row[];
  /** Lines of rows that go. */
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
 * The row as it may be kept; null: it is about the person. A row that is no record and names the person where its learner
 * should stand is about the person too, and so is one of which nobody knows where that is.
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
