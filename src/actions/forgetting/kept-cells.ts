import type { Row } from '../../domain/row.js';
import { type KeptBlock, keepRows, keptBlocks } from '../../ledger/erase-cells.js';
import { forgetRow, isRecord, learnerColumns } from '../../ledger/forgetting.js';
import { type Ledger, writing } from '../../ledger/query.js';
import { rowsOfBlock } from '../../ledger/row-blocks.js';
import type { Person } from './person.js';

/** Rows whose cells name a person. */
export interface NamingRows {
  /** Rows about the person: their cells go as a whole. */
  readonly rows: number;
  /** Rows about somebody else, or nobody, that name the person in another column: that cell goes. */
  readonly mentions: number;
}

/** Adds up what a page has. */
export type AddRows = (found: NamingRows) => void;

/** Blocks looked through between two transactions, some thousand rows. */
const BLOCKS_AT_ONCE = 20;

/** Goes through all kept rows, and counts those that name the person; writes nothing. */
export function* findCells(ledger: Ledger, person: Person, add: AddRows): Generator<void> {
  const columns = learnerColumns(ledger);
  for (const blocks of keptBlocks(ledger, BLOCKS_AT_ONCE)) {
    for (const block of blocks) add(changeOf(ledger, person, block, columns));
    yield;
  }
}

/** Goes through them likewise, and erases what names the person, in one transaction for each step. */
export function* eraseCells(
  ledger: Ledger,
  person: Person,
  decisionId: number,
  add: AddRows,
): Generator<void> {
  const columns = learnerColumns(ledger);
  for (const blocks of keptBlocks(ledger, BLOCKS_AT_ONCE)) {
    const naming = blocks.filter((block) => isChange(changeOf(ledger, person, block, columns)));
    if (naming.length > 0) {
      writing(ledger, () => {
        for (const block of naming) {
          // Read again in here: another process may have erased rows of it in between.
          const change = changeOf(ledger, person, block, columns);
          if (!isChange(change)) continue;
          keepRows(ledger, block, change.kept);
          for (const line of change.erased) forgetRow(ledger, decisionId, block.dropId, line);
          add(change);
        }
      });
    }
    yield;
  }
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

function changeOf(
  ledger: Ledger,
  person: Person,
  block: KeptBlock,
  columns: ReadonlyMap<number, number>,
): BlockChange {
  const rows = rowsOfBlock(ledger, block);
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
