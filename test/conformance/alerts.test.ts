import { describe, expect, it } from 'vitest';
import { alertName } from '../../src/domain/alerts/alert.js';
import { recordEvent } from '../../src/ledger/access/audit-log.js';
import {
  type Reconciliation,
  reconcileAlerts,
  recordNotification,
} from '../../src/ledger/alerts/reconcile-alerts.js';
import { withRun } from '../../src/ledger/attempts/with-run.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { decider } from '../support/decider.js';
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

  it('a muted alert that opened is sent once it is unmuted, and its end goes to the channels that got its beginning', async () => {
    const { ledger, clock } = await open();
    const mute = (forMs: number) => {
      const value = forMs === 0 ? '' : new Date(clock.nowMs() + forMs).toISOString();
      return recordEvent(ledger, 'mute', decider('ada'), {
        subject: alertName(DOWN),
        value,
        about: 'repairs',
      });
    };
    const muted = async () => (await readState(ledger, ['alerts'])).alerts.open.map((alert) => alert.muted);
    const [first] = (await reconcileAlerts(ledger, FOUND)).due;
    await recordNotification(ledger, [first?.notificationId ?? 0], { kind: 'released' });
    expect(await muted()).toEqual([null]);
    await mute(60_000);
    expect(await due(ledger)).toEqual([]);
    expect(await muted()).toMatchObject([{ because: 'repairs', who: 'ada' }]);
    // It opens again while it is muted.
    expect(await due(ledger, { conditions: [] })).toEqual([]);
    expect(await due(ledger)).toEqual([]);
    await clock.pass(60_000);
    const [second] = (await reconcileAlerts(ledger, FOUND)).due;
    expect(second).toMatchObject({ what: 'opened' });
    await recordNotification(ledger, [second?.notificationId ?? 0], { kind: 'sent' });
    await mute(60_000);
    expect(await due(ledger, { conditions: [] })).toEqual(['recovered']);
    await mute(0);
    expect(await due(ledger)).toEqual(['opened']);
  });

  it('a muted alert hides no failing channel, and what another process is sending meanwhile is sent once', async () => {
    const { ledger, clock } = await open();
    const mute = () =>
      recordEvent(ledger, 'mute', decider('ada'), {
        subject: alertName(DOWN),
        value: new Date(clock.nowMs() + 3_600_000).toISOString(),
        about: 'repairs',
      });
    const failing = async () => (await readState(ledger, ['alerts'])).alerts.failing;
    const [{ notificationId: id } = { notificationId: 0 }] = (await reconcileAlerts(ledger, FOUND)).due;
    const retryAt = '2026-03-02T08:01:00.000Z';
    await recordNotification(ledger, [id], { kind: 'failed', error: 'answered 500', retryAt });
    await mute();
    await clock.pass(120_000);
    expect(await due(ledger)).toEqual([]);
    expect(await failing()).toMatchObject([{ channel: 'ops', error: 'answered 500' }]);

    const other = { ...DOWN, subject: 'other' };
    const sending = (await reconcileAlerts(ledger, { ...FOUND, conditions: [DOWN, other] })).due;
    expect(sending.map(({ alert }) => alert.subject)).toEqual(['other']);
    await recordEvent(ledger, 'mute', decider('ada'), {
      subject: alertName(other),
      value: new Date(clock.nowMs() + 3_600_000).toISOString(),
      about: 'repairs',
    });
    // Both close while they are muted: of the one that is being sent, the end is sent too.
    const ended = (await reconcileAlerts(ledger, { ...FOUND, conditions: [] })).due;
    expect(ended.map(({ what, alert }) => [what, alert.subject])).toEqual([['recovered', 'other']]);
    await recordNotification(ledger, [sending[0]?.notificationId ?? 0], { kind: 'sent' });
    expect(await failing()).toEqual([]);
    await clock.pass(3_600_000);
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
