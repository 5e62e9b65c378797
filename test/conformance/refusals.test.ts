import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { planDismissal } from '../../src/ledger/submissions/select/select-rows.js';
import { ENGINES } from './engines.js';
import { publishedCells } from './published-cells.js';
import { fileOf } from './staged-drop.js';

const ADA = ['ada@x.example'];

async function refused(ledger: Ledger, file: Awaited<ReturnType<typeof fileOf>>): Promise<number> {
  return refuseDrop(ledger, { ...file, format: 'csv' }, { code: 'drop-unreadable', text: 'It is cut.' });
}

async function openRefusals(ledger: Ledger): Promise<number[]> {
  return (await readState(ledger, ['refusedFiles'])).refusedFiles.map(({ drop }) => drop);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a refused file is closed by its own bytes, for whichever source, and open again once refused again', async () => {
    const { ledger, clock } = await open();
    const cut = await fileOf(ledger, 'cut.csv');
    const dropId = await refused(ledger, cut);
    await publishedCells(ledger, await fileOf(ledger, 'whole.csv'), [ADA]);
    expect(await openRefusals(ledger)).toEqual([dropId]);
    await publishedCells(ledger, { ...cut, source: 'another' }, [ADA]);
    expect(await openRefusals(ledger)).toEqual([]);
    await clock.pass(1_000);
    expect(await refused(ledger, cut)).toBe(dropId);
    expect(await openRefusals(ledger)).toEqual([dropId]);
  });

  it('a dismissal finds a refused file by its name or its number, once, and says how any other drop ended', async () => {
    const { ledger } = await open();
    const cut = await fileOf(ledger, 'cut.csv');
    const dropId = await refused(ledger, cut);
    const named = async (file: string | null, drop: number | null) =>
      planDismissal(ledger, { rows: null, file, drop }, 10);
    for (const found of [
      await named('cut.csv', null),
      await named(null, dropId),
      await named('cut.csv', dropId),
    ]) {
      expect(found).toMatchObject({ files: [{ drop: dropId, file: 'cut.csv' }], rows: { total: 0 } });
    }
    expect(await named('other.csv', null)).toMatchObject({ files: [] });
    expect(await named(null, 99)).toEqual({ other: { drop: 99, file: null, closure: null } });
    const file = await fileOf(ledger, 'whole.csv');
    const by = await publishedCells(ledger, file, [ADA]);
    expect(await named(null, by)).toEqual({ other: { drop: by, file: 'whole.csv', closure: null } });
    const came = await publishedCells(ledger, { ...cut, source: 'another' }, [ADA]);
    expect(await named(null, dropId)).toMatchObject({ other: { closure: { kind: 'came-in', drop: came } } });
  });
});
