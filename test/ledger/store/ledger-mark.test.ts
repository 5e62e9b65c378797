import { expect, it } from 'vitest';
import { thisProcess } from '../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../src/ledger/leases/runs.js';
import { ledgerMark } from '../../../src/ledger/store/ledger-mark.js';
import { writing } from '../../../src/ledger/store/query.js';
import { testLedger } from '../../support/staged-ledger.js';

it('a mark that is read while another flow is in a transaction says that it may be rolled back', async () => {
  const ledger = testLedger();
  const before = ledgerMark(ledger);
  const takenBack = writing(ledger, async (transaction) => {
    await beginRun(transaction, 'cron', thisProcess(), 'test');
    expect(ledgerMark(ledger)).toEqual({ ...before, run: before.run + 1, isCommitted: false });
    throw new Error('taken back');
  });
  await expect(takenBack).rejects.toThrow('taken back');
  expect(ledgerMark(ledger)).toEqual(before);
});
