import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { type DropTable, publishedDrops } from '../../src/ledger/drops/published-drops.js';
import { keptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { HEADER, publishedCells } from './published-cells.js';
import { PLAN, stageRows } from './stage-rows.js';
import { fileOf, stageLease } from './staged-drop.js';

const ADA = ['ada@x.example'];
const BEA = ['bea@x.example'];

async function cellsOf(ledger: Ledger, of: number | DropTable) {
  return (await collected(keptRows(ledger, of))).map(({ cells }) => cells);
}

async function tableOf(ledger: Ledger, dropId: number): Promise<DropTable> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined) throw new Error('it is not published');
  return drop.table;
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('rows are kept as they were read, batch after batch, as soon as they are staged', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const { dropId } = await beginDrop(ledger, await fileOf(ledger, 'a.csv'), PLAN);
    const rows = [
      { line: 1, cells: HEADER },
      { line: 2, cells: ['ada@x.example', 7, null, { date: '2024-03-01T10:30:00.000' }] },
      { line: 3, cells: [] },
      { line: 9, cells: [true, { percent: 85.5 }] },
      { line: 10, cells: ['C-1x', 'b'], strayQuotes: [0] },
      {
        line: 11,
        cells: ['"', "'", '\\', '\\"', '{a,"b"}', 'NULL', 'a\nb\tc\r', '\u0001\u2028', '👩🏽‍🎓', ''],
      },
    ];
    for (const batch of [rows.slice(0, 2), rows.slice(2)]) {
      await stageRows(ledger, lease, { dropId }, { cells: batch });
    }
    expect(await collected(keptRows(ledger, dropId))).toEqual(rows.filter(({ cells }) => cells.length > 0));
  });

  it('a batch handed over before its turn is staged after the one before it, and not at all where that is not staged', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const { dropId } = await beginDrop(ledger, await fileOf(ledger, 'a.csv'), PLAN);
    let pass = (_isStaged: boolean) => {};
    const turn = new Promise<boolean>((resolve) => (pass = resolve));
    const later = stageRows(ledger, lease, { dropId }, { cells: [{ line: 3, cells: BEA }] }, turn);
    expect(await stageRows(ledger, lease, { dropId }, { cells: [{ line: 2, cells: ADA }] })).not.toBeNull();
    expect(await cellsOf(ledger, dropId)).toEqual([ADA]);
    pass(true);
    expect(await later).not.toBeNull();
    const failed = Promise.resolve(false);
    expect(
      await stageRows(ledger, lease, { dropId }, { cells: [{ line: 4, cells: ADA }] }, failed),
    ).toBeNull();
    expect(await cellsOf(ledger, dropId)).toEqual([ADA, BEA]);
  });

  it('the table of a drop has all sheets of its file without their headers, and for a text file the drop alone', async () => {
    const { ledger } = await open();
    const file = await fileOf(ledger, 'a.xlsx');
    const first = await publishedCells(ledger, file, [ADA]);
    expect(await cellsOf(ledger, await tableOf(ledger, first))).toEqual([HEADER, ADA]);
    const sheet = { ...file, part: 'More', fileName: 'a.xlsx#More' };
    const further = await publishedCells(ledger, sheet, [BEA]);
    for (const dropId of [first, further]) {
      const table = await tableOf(ledger, dropId);
      expect([table.headerLine, await cellsOf(ledger, table)]).toEqual([0, [ADA, BEA]]);
    }
    expect(await cellsOf(ledger, further)).toEqual([HEADER, BEA]);
  });
});
