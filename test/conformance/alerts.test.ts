import { expect, it } from 'vitest';
import type { Condition } from '../../src/domain/alerts/alert.js';
import { failingChannels } from '../../src/ledger/alerts/kept-alerts.js';
import { type Reconciliation, reconcileAlerts } from '../../src/ledger/alerts/reconcile-alerts.js';
import { recordTelling } from '../../src/ledger/alerts/record-telling.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { manualClock } from '../support/manual-clock.js';
import { openConformanceLedger } from './open-ledger.js';

const START = '2026-03-02T08:00:00.000Z';
const DOWN: Condition = {
  kind: 'environment',
  subject: 'main',
  code: 'outage',
  facts: {
    state: 'failed',
    since: START,
    lastGoodAt: null,
    message: "Environment main can't be used.",
    remedy: 'Wait.',
  },
};

/** One channel, which tells outages at once. */
const FOUND: Reconciliation = {
  conditions: [DOWN],
  unknown: [],
  channels: [{ name: 'ops', dueAt: { environment: START }, heldBack: [] }],
  recoverAfterMs: 0,
  claimMs: 300_000,
};

async function due(ledger: Ledger, found: Partial<Reconciliation> = {}) {
  return (await reconcileAlerts(ledger, { ...FOUND, ...found })).due.map(({ what }) => what);
}

it('what one process tells nobody else does, until its claim is over', async () => {
  const { ledger, clock } = openConformanceLedger();
  expect(await due(ledger)).toEqual(['opened']);
  clock.pass(299_999);
  expect(await due(ledger)).toEqual([]);
  clock.pass(1);
  expect(await due(ledger)).toEqual(['opened']);
});

it('a step of the wall clock ends no claim', async () => {
  const { ledger, clock } = openConformanceLedger();
  await due(ledger);
  clock.setWall(Date.parse('2026-03-03T08:00:00.000Z'));
  expect(await due(ledger)).toEqual([]);
});

it('the claim of a machine that has started anew is void', async () => {
  const { ledger } = openConformanceLedger();
  await due(ledger);
  expect(await due({ ...ledger, clock: manualClock(START, 'boot-2') })).toEqual(['opened']);
});

it('what is put back is due again, what is told is not, and what failed is when it is time', async () => {
  const { ledger, clock } = openConformanceLedger();
  const ids = async () => (await reconcileAlerts(ledger, FOUND)).due.map(({ tellingId }) => tellingId);
  const [id = 0] = await ids();
  await recordTelling(ledger, [id], { kind: 'put-back' });
  expect(await ids()).toEqual([id]);
  await recordTelling(ledger, [id], { kind: 'failed', error: 'failed', retryAt: '2026-03-02T08:01:00.000Z' });
  expect(await ids()).toEqual([]);
  clock.pass(60_000);
  expect(await ids()).toEqual([id]);
  await recordTelling(ledger, [id], { kind: 'failed', error: 'again', retryAt: '2026-03-02T08:01:00.000Z' });
  expect(await failingChannels(ledger)).toEqual([{ channel: 'ops', since: START, tries: 2, error: 'again' }]);
  await recordTelling(ledger, [id], { kind: 'told' });
  expect(await failingChannels(ledger)).toEqual([]);
  clock.pass(3_600_000);
  expect(await ids()).toEqual([]);
});

it('of what nothing is known nothing ends', async () => {
  const { ledger } = openConformanceLedger();
  await due(ledger);
  expect(await due(ledger, { conditions: [], unknown: [DOWN] })).toEqual([]);
  expect(await due(ledger, { conditions: [] })).toEqual(['recovered']);
});

it('who was told of no beginning is told of no end', async () => {
  const { ledger } = openConformanceLedger();
  const others = { channels: [{ name: 'books', dueAt: { books: START }, heldBack: [] }] };
  expect(await due(ledger, others)).toEqual([]);
  expect(await due(ledger, { conditions: [] })).toEqual([]);
});
