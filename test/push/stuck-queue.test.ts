import { expect, it } from 'vitest';
import { damageLedger } from '../support/damage.js';
import { pushBench } from '../support/push-bench.js';
import { stage } from '../support/staged-ledger.js';

it.each([
  [
    'behind one of its slot that no request is about',
    "update submission set state = 'sending' where submission_id = 1",
    /rows? waits? for main without a reason$/,
  ],
  [
    'and is counted under another name than it is looked for',
    "update submission set priority = 5 where submission_id = 2; update submission set state = 'accepted' where submission_id = 1",
    /rows? waits? for main without a reason$/,
  ],
])('a push whose rows can never be sent ends with an error: a row waits %s', async (_, damage, sentence) => {
  const bench = pushBench();
  const { ledger } = bench;
  await stage(ledger, [{ at: '2026-01-10T09:00:00.000Z' }, { at: '2026-01-11T09:00:00.000Z' }]);
  damageLedger(ledger, damage);
  await expect(bench.push()).rejects.toMatchObject({ message: expect.stringMatching(sentence), exit: 'io' });
});
