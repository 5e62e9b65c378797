import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { deliverNext, REJECTED } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { invalidRow } from './invalid-row.js';
import { fileOf, publishedDrop } from './staged-drop.js';

const DAY_MS = 86_400_000;
const USERS = ['ada', 'bea', 'cy'].map((name) => ({ user: `${name}@x.example` }));

describe.each(ENGINES)('on $name', ({ open }) => {
  it('why rows need attention is known for each source, with the first files that have them', async () => {
    const { ledger } = await open();
    const file = await fileOf(ledger, 'a.csv');
    await publishedDrop(ledger, file, [...USERS, invalidRow(5)]);
    await deliverNext(ledger, await pushLease(ledger, file.runId), file.runId, REJECTED, 400);
    const sales = { ...(await fileOf(ledger, 'b.csv')), source: 'sales' };
    await publishedDrop(ledger, sales, [invalidRow(2), invalidRow(3)]);
    const { sourceCauses } = await readState(ledger, ['sourceCauses']);
    expect(sourceCauses.map(({ source, code, rows, files }) => [source, code, rows, files])).toEqual([
      ['academy', 'value-missing', 1, ['a.csv']],
      ['sales', 'value-missing', 2, ['b.csv']],
      ['academy', 'bad-request', 1, ['a.csv']],
    ]);
  });

  it('the share of rows that need attention is that of the last day of each source’s files', async () => {
    const { ledger, clock } = await open();
    await publishedDrop(ledger, 'old.csv', [invalidRow(2)]);
    await clock.setWall(clock.nowMs() + DAY_MS + 1_000);
    await publishedDrop(ledger, 'a.csv', [...USERS, invalidRow(5)]);
    await clock.setWall(clock.nowMs() + 3_600_000);
    await publishedDrop(ledger, 'b.csv', [invalidRow(2)]);
    const { shares } = await readState(ledger, ['shares']);
    expect(shares).toEqual([{ source: 'academy', rows: 5, attention: 2 }]);
  });

  it('open refused files are watched, and nothing of a file that is being staged', async () => {
    const { ledger } = await open();
    const cut = { ...(await fileOf(ledger, 'cut.csv')), format: 'csv' as const };
    const dropId = await refuseDrop(ledger, cut, { code: 'drop-unreadable', text: 'It is cut.' });
    expect(await readState(ledger, ['sourceCauses', 'shares', 'refusedFiles', 'outages'])).toMatchObject({
      sourceCauses: [],
      shares: [],
      refusedFiles: [{ drop: dropId, source: 'academy', code: 'drop-unreadable' }],
      outages: [],
    });
  });
});
