import { describe, expect, it } from 'vitest';
import {
  type Reconciliation,
  reconcileAlerts,
  recordNotification,
} from '../../src/ledger/alerts/reconcile-alerts.js';
import { withRun } from '../../src/ledger/attempts/with-run.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { DOWN, FOUND, START } from './found-outage.js';

async function due(ledger: Ledger, found: Partial<Reconciliation> = {}) {
  return (await reconcileAlerts(ledger, { ...FOUND, ...found })).due.map(({ what }) => what);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('an alert claimed by one process is sent by no other until the claim is over', async () => {
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

  it('a released alert is due again, a sent one is not, and a failed one is due at its time', async () => {
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

  it('an alert about an unknown state stays open', async () => {
    const { ledger } = await open();
    await due(ledger);
    expect(await due(ledger, { conditions: [], unknown: [DOWN] })).toEqual([]);
    expect(await due(ledger, { conditions: [] })).toEqual(['recovered']);
  });

  it('a channel that got no beginning gets no end', async () => {
    const { ledger } = await open();
    const others = { channels: [{ name: 'books', kinds: ['books'] as const }] };
    expect(await due(ledger, others)).toEqual([]);
    expect(await due(ledger, { conditions: [] })).toEqual([]);
  });

  it('a channel of ended runs begins with the latest, and gets each later one once, until it is sent', async () => {
    const { ledger } = await open();
    const run = { trigger: 'cron' as const, owner: thisProcess(), version: 'test', environments: null };
    const ended = (end: 'done' | 'attention') =>
      withRun(
        ledger,
        run,
        async () => null,
        () => end,
      );
    const lms = { conditions: [], channels: [{ name: 'lms', kinds: ['run'] }] } as const;
    const sent = async () => {
      const { due, opened } = await reconcileAlerts(ledger, { ...FOUND, ...lms, claimMs: 0 });
      expect(opened).toEqual([]);
      return due.map(({ notificationId, alert }) => ({
        notificationId,
        run: `${alert.subject} ${alert.code}`,
      }));
    };
    await ended('done');
    await ended('attention');
    const [latest] = await sent();
    expect(latest?.run).toBe('2 attention');
    await recordNotification(ledger, [latest?.notificationId ?? 0], { kind: 'sent' });
    await ended('done');
    await ended('attention');
    expect((await sent()).map((one) => one.run)).toEqual(['3 done', '4 attention']);
    expect((await sent()).map((one) => one.run)).toEqual(['3 done', '4 attention']);
    expect((await readState(ledger, ['alerts'])).alerts.open).toEqual([]);
  });
});
