import { expect, it } from 'vitest';
import { readStatus } from '../../src/ledger/books/read-status.js';
import { closeRefused } from '../../src/ledger/drops/refused/close-refused.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { printer, UNREAD } from '../../src/ledger/drops/refused/row-prints.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { planDismissal } from '../../src/ledger/submissions/select/select-rows.js';
import { openConformanceLedger } from './open-ledger.js';
import { HEADER, publishedCells } from './published-cells.js';
import { fileOf } from './staged-drop.js';

const ADA = ['ada@x.example'];
const BEA = ['bea@x.example'];

async function refused(ledger: Ledger, name: string, rows: readonly string[][] | null): Promise<number> {
  const print = printer(ledger.salt);
  const prints =
    rows === null ? UNREAD : { leading: 1, prints: Buffer.from(rows.map(print).join(''), 'hex') };
  return refuseDrop(
    ledger,
    { ...(await fileOf(ledger, name)), format: 'csv' },
    { code: 'drop-unreadable', text: 'It is cut.' },
    prints,
  );
}

async function openRefusals(ledger: Ledger): Promise<number[]> {
  return (await readStatus(ledger, [])).setAside.map(({ dropId }) => dropId);
}

it('a refused file is closed by a later drop with all its rows except the header, and by nothing less', async () => {
  const { ledger } = openConformanceLedger();
  const cut = await refused(ledger, 'cut.csv', [['E-mail'], ADA, BEA]);
  const unread = await refused(ledger, 'unread.csv', null);
  const less = await fileOf(ledger, 'less.csv');
  await publishedCells(ledger, less, [ADA]);
  await closeRefused(ledger, less.runId);
  expect(await openRefusals(ledger)).toEqual([unread, cut]);
  const whole = await fileOf(ledger, 'whole.csv');
  await publishedCells(ledger, whole, [BEA, ADA]);
  for (const _ of ['first', 'again']) {
    await closeRefused(ledger, whole.runId);
    expect(await openRefusals(ledger)).toEqual([unread]);
  }
});

it('a refused file is not closed by the drops of another source or another run', async () => {
  const { ledger } = openConformanceLedger();
  const cut = await refused(ledger, 'cut.csv', [HEADER, ADA]);
  const other = { ...(await fileOf(ledger, 'other.csv')), source: 'another' };
  await publishedCells(ledger, other, [ADA]);
  await closeRefused(ledger, other.runId);
  await publishedCells(ledger, await fileOf(ledger, 'whole.csv'), [ADA]);
  const { runId } = await fileOf(ledger, 'none.csv');
  await closeRefused(ledger, runId);
  expect(await openRefusals(ledger)).toEqual([cut]);
});

it('a refused file that has grown is closed by the drop that it has become, and open again once refused again', async () => {
  const { ledger, clock } = openConformanceLedger();
  const dropId = await refused(ledger, 'cut.csv', null);
  const file = await fileOf(ledger, 'whole.csv');
  const by = await publishedCells(ledger, file, [ADA]);
  await closeRefused(ledger, file.runId, [{ dropId, by }]);
  expect(await openRefusals(ledger)).toEqual([]);
  clock.pass(1_000);
  expect(await refused(ledger, 'cut.csv', null)).toBe(dropId);
  expect(await openRefusals(ledger)).toEqual([dropId]);
});

it('a dismissal finds a refused file by its name or its number, once, and says how any other drop ended', async () => {
  const { ledger } = openConformanceLedger();
  const dropId = await refused(ledger, 'cut.csv', null);
  const named = async (file: string | null, drop: number | null) =>
    planDismissal(ledger, { rows: null, file, drop }, 10);
  for (const found of [
    await named('cut.csv', null),
    await named(null, dropId),
    await named('cut.csv', dropId),
  ]) {
    expect(found).toMatchObject({ files: [{ dropId, file: 'cut.csv' }], rows: { total: 0 } });
  }
  expect(await named('other.csv', null)).toMatchObject({ files: [] });
  expect(await named(null, 99)).toEqual({ other: { drop: 99, file: null, closure: null } });
  const file = await fileOf(ledger, 'whole.csv');
  const by = await publishedCells(ledger, file, [ADA]);
  expect(await named(null, by)).toEqual({ other: { drop: by, file: 'whole.csv', closure: null } });
  await closeRefused(ledger, file.runId, [{ dropId, by }]);
  expect(await named(null, dropId)).toMatchObject({ other: { closure: { kind: 'came-in', drop: by } } });
});
