import { expect, it } from 'vitest';
import { ALERT_KINDS, type Condition, TOLD_EVENTS } from '../../../src/domain/alerts/alert.js';
import { failingChannels } from '../../../src/ledger/alerts/kept-alerts.js';
import { type Reconciliation, reconcileAlerts } from '../../../src/ledger/alerts/reconcile-alerts.js';
import { recordTelling } from '../../../src/ledger/alerts/record-telling.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { manualClock } from '../../support/manual-clock.js';
import { testLedger } from '../../support/staged-ledger.js';

const START = '2026-03-02T08:00:00.000Z';
const DOWN: Condition = {
  kind: 'environment-down',
  subject: 'main',
  code: '',
  facts: { fault: 'server-error', host: 'api', since: START, waiting: 3 },
};

/** One channel, which tells outages at once. */
const FOUND: Reconciliation = {
  conditions: [DOWN],
  unknown: [],
  channels: [{ name: 'ops', dueAt: { 'environment-down': START }, heldBack: [] }],
  recoverAfterMs: 0,
  claimMs: 300_000,
};

async function due(ledger: Ledger, found: Partial<Reconciliation> = {}) {
  return (await reconcileAlerts(ledger, { ...FOUND, ...found })).due.map(({ what }) => what);
}

it('what one process tells nobody else does, until its claim is over', async () => {
  const clock = manualClock(START);
  const ledger = testLedger(clock);
  expect(await due(ledger)).toEqual(['opened']);
  clock.pass(299_999);
  expect(await due(ledger)).toEqual([]);
  clock.pass(1);
  expect(await due(ledger)).toEqual(['opened']);
});

it('a step of the wall clock ends no claim', async () => {
  const clock = manualClock(START);
  const ledger = testLedger(clock);
  await due(ledger);
  clock.setWall(Date.parse('2026-03-03T08:00:00.000Z'));
  expect(await due(ledger)).toEqual([]);
});

it('the claim of a machine that has started anew is void', async () => {
  const ledger = testLedger(manualClock(START, 'boot-1'));
  await due(ledger);
  expect(await due({ ...ledger, clock: manualClock(START, 'boot-2') })).toEqual(['opened']);
});

it('what is put back is due again, what is told is not, and what failed is when it is time', async () => {
  const clock = manualClock(START);
  const ledger = testLedger(clock);
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
  const ledger = testLedger(manualClock(START));
  await due(ledger);
  expect(await due(ledger, { conditions: [], unknown: [DOWN] })).toEqual([]);
  expect(await due(ledger, { conditions: [] })).toEqual(['recovered']);
});

it('who was told of no beginning is told of no end', async () => {
  const ledger = testLedger(manualClock(START));
  const others = { channels: [{ name: 'books', dueAt: { unbalanced: START }, heldBack: [] }] };
  expect(await due(ledger, others)).toEqual([]);
  expect(await due(ledger, { conditions: [] })).toEqual([]);
});

it('the ledger knows all kinds and events, and no other', () => {
  const ledger = testLedger();
  const insert = (kind: string, what: string) => {
    const { lastInsertRowid } = ledger.sqlite
      .prepare(
        "insert into alert (kind, subject, code, opened_at, last_seen_at, facts) values (?, ?, '', '', '', '{}')",
      )
      .run(kind, `${kind} ${what}`);
    ledger.sqlite
      .prepare("insert into telling (alert_id, channel, what, due_at) values (?, 'x', ?, '')")
      .run(lastInsertRowid, what);
  };
  for (const kind of ALERT_KINDS) for (const what of TOLD_EVENTS) insert(kind, what);
  expect(() => insert('flood', 'opened')).toThrow(/CHECK/);
  expect(() => insert('cause', 'forgotten')).toThrow(/CHECK/);
});
