import { expect, it } from 'vitest';
import { pinReading } from '../../../src/ledger/decisions/pin-reading.js';
import { decider } from '../../support/decider.js';
import { decisions } from '../../support/ledger-trace.js';
import { testLedger } from '../../support/staged-ledger.js';

it('a reading is confirmed by one decision that says who, however often it is confirmed', async () => {
  const ledger = testLedger();
  const confirmed = { settings: null, mappings: ['{"user-id":"email"}', '{"user-id":"email"}'] };
  await pinReading(ledger, 'academy', confirmed, { who: decider('ada'), because: null });
  await pinReading(ledger, 'academy', confirmed, { who: decider('bob'), because: null });
  expect(await decisions(ledger)).toMatchObject([
    { kind: 'confirm', who: 'ada', finishedAt: expect.any(String) },
  ]);
});
