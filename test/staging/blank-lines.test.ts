import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { rowWithResult } from '../../src/ledger/trace/read-trace.js';
import { bytesOnDisk } from '../support/bytes-on-disk.js';
import { csvOf, exportRow } from '../support/exports.js';
import { lives } from '../support/ledger-trace.js';
import { testLedger } from '../support/staged-ledger.js';
import { checkContent, dispositionsOf, stageContent } from './staging-bench.js';

/** Two rows with so many blank lines between them. */
async function staged(blanks: number) {
  const ledger = testLedger(systemClock());
  const [first = '', second = ''] = [csvOf([exportRow(1)]), csvOf([exportRow(2)]).split('\n')[1]];
  const content = `${first}${'\n'.repeat(blanks)}${second}\n`;
  const result = await stageContent(ledger, content);
  const sizeBytes = bytesOnDisk(ledger).length;
  return { ledger, content, dispositions: dispositionsOf(result), sizeBytes };
}

it('blank lines are counted one by one, and balance', async () => {
  const { ledger, content, dispositions } = await staged(40_000);
  expect(dispositions).toMatchObject({ staged: 2, blank: 40_000, 'non-data': 1 });
  expect((await checkContent(testLedger(systemClock()), content)).dispositions).toEqual(dispositions);
  expect(await imbalances(ledger)).toEqual([]);
  expect((await lives(ledger)).map(({ line }) => line)).toEqual([2, 40_003]);
});

it('each blank line is found, also where it has no row of its own', async () => {
  const { ledger } = await staged(5_000);
  for (const line of [3, 102, 103, 104, 5_002]) {
    expect((await rowWithResult(ledger, { dropId: 1, line }))?.disposition).toBe('blank');
  }
  expect((await rowWithResult(ledger, { dropId: 1, line: 5_003 }))?.disposition).toBe('staged');
  expect(await rowWithResult(ledger, { dropId: 1, line: 5_004 })).toBeNull();
});

it('four times as many blank lines take hardly more of the ledger', async () => {
  const [few, many] = [await staged(10_000), await staged(40_000)];
  expect(many.sizeBytes).toBeLessThan(1.1 * few.sizeBytes);
});
