import { describe, expect, it } from 'vitest';
import {
  type Reconciliation,
  reconcileAlerts,
  recordNotification,
} from '../../src/ledger/alerts/reconcile-alerts.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { DOWN, FOUND, START } from './found-outage.js';

async function due(ledger: Ledger, found: Partial<Reconciliation> = {}) {
  return (await reconcileAlerts(ledger, { ...FOUND, ...found })).due.map(({ what }) => what);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('what one process tells nobody else does, until its claim is over', async () => {
    const { ledger, clock } = await open();
    expect(await due(ledger)).toEqual(['opened']);
    await clock.pass(299_999);
    expect(await due(ledger)).toEqual([]);
    await clock.pass(1);
    expect(await due(ledger)).toEqual(['opened']);
  });

  it('a step of the wall clock ends no claim', async () => {
    const { ledger, clock } = await open();
    await due(ledger);
    await clock.setWall(Date.parse('2026-03-03T08:00:00.000Z'));
    expect(await due(ledger)).toEqual([]);
  });

  it('what is put back is due again, what is told is not, and what failed is when it is time', async () => {
    const { ledger, clock } = await open();
    const failing = async () => (await readState(ledger, ['alerts'])).alerts.failing;
    const ids = async () =>
      (await reconcileAlerts(ledger, FOUND)).due.map(({ notificationId }) => notificationId);
    const [id = 0] = await ids();
    await recordNotification(ledger, [id], { kind: 'released' });
    expect(await ids()).toEqual([id]);
    await recordNotification(ledger, [id], {
      kind: 'failed',
      error: 'failed',
      retryAt: '2026-03-02T08:01:00.000Z',
    });
    expect(await ids()).toEqual([]);
    await clock.pass(60_000);
    expect(await ids()).toEqual([id]);
    await recordNotification(ledger, [id], {
      kind: 'failed',
      error: 'again',
      retryAt: '2026-03-02T08:01:00.000Z',
    });
    expect(await failing()).toEqual([{ channel: 'ops', since: START, tries: 2, error: 'again' }]);
    await recordNotification(ledger, [id], { kind: 'sent' });
    expect(await failing()).toEqual([]);
    await clock.pass(3_600_000);
    expect(await ids()).toEqual([]);
  });

  it('of what nothing is known nothing ends', async () => {
    const { ledger } = await open();
    await due(ledger);
    expect(await due(ledger, { conditions: [], unknown: [DOWN] })).toEqual([]);
    expect(await due(ledger, { conditions: [] })).toEqual(['recovered']);
  });

  it('who was told of no beginning is told of no end', async () => {
    const { ledger } = await open();
    const others = { channels: [{ name: 'books', kinds: ['books'] as const }] };
    expect(await due(ledger, others)).toEqual([]);
    expect(await due(ledger, { conditions: [] })).toEqual([]);
  });
});
