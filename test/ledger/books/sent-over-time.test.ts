import { expect, it } from 'vitest';
import { sentBetween, sentOverTime } from '../../../src/ledger/books/read-page.js';
import { attemptIn, attemptsIn } from '../../../src/ledger/books/requests.js';
import type { ReportSelection } from '../../../src/ledger/drops/report-selection.js';
import { manualClock } from '../../support/manual-clock.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  SILENCE,
  stage,
  THROTTLED,
  testLedger,
} from '../../support/staged-ledger.js';

it('requests are counted by when they left, and what came of them adds up to what was sent', async () => {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const learners = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ user: `${name}@example.com` }));
  const { runId } = await stage(ledger, learners);
  const lease = await mustLease(ledger, 'push:main');
  const begin = clock.nowMs();
  for (const outcome of [ACCEPTED, REJECTED, THROTTLED, SERVER_ERROR, SILENCE]) {
    await deliverNext(ledger, lease, runId, outcome);
  }
  clock.pass(60_000);
  await claimNext(ledger, lease, runId);

  const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}:00.000Z`;
  expect(await sentOverTime(ledger, attemptIn({}), 'minute')).toEqual([
    { at: at(begin), sent: 5, accepted: 1, refused: 1, throttled: 1, failed: 2, open: 0 },
    { at: at(begin + 60_000), sent: 1, accepted: 0, refused: 0, throttled: 0, failed: 0, open: 1 },
  ]);
  const selections: readonly ReportSelection[] = [
    {},
    { runId },
    { runId: runId + 1 },
    { fileName: 'none.csv' },
    { since: '2000' },
  ];
  for (const selection of selections) {
    const sent = (await sentOverTime(ledger, attemptIn(selection), 'day')).reduce(
      (sum, day) => sum + day.sent,
      0,
    );
    expect([selection, sent]).toEqual([selection, (await attemptsIn(ledger, selection)).total]);
    expect((await sentBetween(ledger, selection)) === null).toBe(sent === 0);
  }
});
