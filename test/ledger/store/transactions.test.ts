import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  all,
  change,
  each,
  first,
  type Ledger,
  query,
  reading,
  writing,
} from '../../../src/ledger/store/query.js';
import { testLedger } from '../../support/staged-ledger.js';

const count = async (ledger: Ledger) =>
  (await first(ledger, query.selectFrom('inbox').select(sql<number>`count(*)`.as('rows'))))?.rows;

const start = (ledger: Ledger) =>
  change(ledger, query.insertInto('inbox').values({ source: 'a', file_system: 'local' }));

const later = () => new Promise((resolve) => setImmediate(resolve));

describe('two flows of one process', () => {
  it('a query waits for the transaction of the other, and is no part of it', async () => {
    const ledger = testLedger();
    const failing = writing(ledger, async (ledger) => {
      await start(ledger);
      await later();
      throw new Error('taken back');
    });
    const other = start(ledger);
    await expect(failing).rejects.toThrow('taken back');
    expect(await other).toBe(1);
    expect(await count(ledger)).toBe(1);
  });

  it('sees nothing that the transaction of the other has not committed', async () => {
    const ledger = testLedger();
    const writer = writing(ledger, async (ledger) => {
      await start(ledger);
      await later();
    });
    expect(await reading(ledger, count)).toBe(1);
    await writer;
  });

  it('take turns in the order in which they came', async () => {
    const ledger = testLedger();
    const order: number[] = [];
    const flow = (which: number) =>
      writing(ledger, async () => {
        order.push(which);
        await later();
        order.push(which);
      });
    await Promise.all([flow(1), flow(2), flow(3)]);
    expect(order).toEqual([1, 1, 2, 2, 3, 3]);
  });
});

it('a transaction within a transaction is part of it', async () => {
  const ledger = testLedger();
  const failing = writing(ledger, async (ledger) => {
    await writing(ledger, start);
    expect(await reading(ledger, count)).toBe(1);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  expect(await count(ledger)).toBe(0);
});

it('reading rows one by one makes no other flow wait', async () => {
  const ledger = testLedger();
  await start(ledger);
  for await (const { source } of each(ledger, query.selectFrom('inbox').selectAll())) {
    await change(ledger, query.deleteFrom('inbox').where('source', '=', source));
  }
  expect(await all(ledger, query.selectFrom('inbox').selectAll())).toEqual([]);
});
