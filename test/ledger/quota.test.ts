import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/query.js';
import {
  holdMs,
  type QuotaRule,
  slotAnswered,
  slotLeaves,
  slotLost,
  slotsSince,
  slotThrottled,
  slotUnused,
  takeSlot,
} from '../../src/ledger/quota.js';
import { manualClock } from '../support/manual-clock.js';
import { testLedger } from '../support/staged-ledger.js';

const rule: QuotaRule = { requests: 7, perMs: 6_000, reserve: 0, pace: 'burst' };
const DEADLINE_MS = 3_000;

/** The id of a place that there is. */
function take(ledger: Ledger): number {
  const taken = takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS);
  if (!('slotId' in taken)) throw new Error('no place is free');
  return taken.slotId;
}

describe('takeSlot', () => {
  it('gives the quota and no more until a place is free', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    for (let i = 0; i < 7; i += 1)
      expect(takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS)).toHaveProperty('slotId');
    expect(takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS)).toEqual({ waitMs: DEADLINE_MS + holdMs(rule) });
    expect(takeSlot(ledger, 'another client', rule, 'push', DEADLINE_MS)).toHaveProperty('slotId');
  });

  it('keeps a place a period after its answer, and until the deadline and a period without one', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    const taken = takeSlot(ledger, 'c', single, 'push', DEADLINE_MS);
    clock.pass(500);
    slotAnswered(ledger, 'slotId' in taken ? taken.slotId : 0, single);
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({ waitMs: holdMs(single) });
    clock.pass(holdMs(single));
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('slotId');
    clock.pass(DEADLINE_MS + holdMs(single) - 1);
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({ waitMs: 1 });
  });

  it('gives a place back at once when no byte left', () => {
    const ledger = testLedger();
    const single = { ...rule, requests: 1 };
    const taken = takeSlot(ledger, 'c', single, 'push', DEADLINE_MS);
    slotUnused(ledger, 'slotId' in taken ? taken.slotId : 0);
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('slotId');
  });

  it('spreads requests over the period at an even pace', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const even: QuotaRule = { ...rule, pace: 'even' };
    takeSlot(ledger, 'c', even, 'push', DEADLINE_MS);
    const wait = takeSlot(ledger, 'c', even, 'push', DEADLINE_MS);
    expect(wait).toEqual({ waitMs: Math.floor(6_000 / 7) });
  });

  it('keeps the reserve for reruns and tokens', () => {
    const ledger = testLedger();
    const reserved = { ...rule, reserve: 2 };
    for (let i = 0; i < 5; i += 1) takeSlot(ledger, 'c', reserved, 'push', DEADLINE_MS);
    expect(takeSlot(ledger, 'c', reserved, 'push', DEADLINE_MS)).toHaveProperty('waitMs');
    expect(takeSlot(ledger, 'c', reserved, 'token', DEADLINE_MS)).toHaveProperty('slotId');
    expect(takeSlot(ledger, 'c', reserved, 'rerun', DEADLINE_MS)).toHaveProperty('slotId');
  });

  it('pauses the client id for every process after a 429, and never shortens a pause', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const [first, second] = [take(ledger), take(ledger)];
    slotThrottled(ledger, 'c', first, rule, 2_000);
    slotThrottled(ledger, 'c', second, rule, 500);
    expect(takeSlot(ledger, 'c', rule, 'token', DEADLINE_MS)).toEqual({ waitMs: 2_000 });
    clock.pass(2_000);
    expect(takeSlot(ledger, 'c', rule, 'token', DEADLINE_MS)).toHaveProperty('slotId');
  });

  describe('after a pause', () => {
    const paused = () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      slotThrottled(ledger, 'c', take(ledger), rule, 2_000);
      clock.pass(2_000);
      return { clock, ledger, probe: take(ledger) };
    };
    const next = (ledger: Ledger) => takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS);

    it('one request goes first, and the others wait for its answer', () => {
      const { ledger, probe } = paused();
      expect(next(ledger)).toEqual({ waitMs: DEADLINE_MS + holdMs(rule) });
      slotAnswered(ledger, probe, rule);
      expect(next(ledger)).toHaveProperty('slotId');
      expect(next(ledger)).toHaveProperty('slotId');
    });

    it('a probe that meets 429 begins the pause anew, with a probe at its end', () => {
      const { clock, ledger, probe } = paused();
      slotThrottled(ledger, 'c', probe, rule, 3_000);
      expect(next(ledger)).toEqual({ waitMs: 3_000 });
      clock.pass(3_000);
      expect(next(ledger)).toHaveProperty('slotId');
      expect(next(ledger)).toHaveProperty('waitMs');
    });

    it('the answer to an earlier request frees nobody', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const [earlier, refused] = [take(ledger), take(ledger)];
      slotThrottled(ledger, 'c', refused, rule, 2_000);
      clock.pass(2_000);
      take(ledger);
      slotAnswered(ledger, earlier, rule);
      expect(next(ledger)).toHaveProperty('waitMs');
    });

    it.each([
      ['was lost', slotLost],
      ['never left', slotUnused],
    ])('another probe goes where the first %s', (_, ended) => {
      const { ledger, probe } = paused();
      ended(ledger, probe);
      expect(next(ledger)).toHaveProperty('slotId');
      expect(next(ledger)).toHaveProperty('waitMs');
    });

    it('another probe goes where the process of the first died', () => {
      const { clock, ledger } = paused();
      clock.pass(DEADLINE_MS + holdMs(rule));
      expect(next(ledger)).toHaveProperty('slotId');
      expect(next(ledger)).toHaveProperty('waitMs');
    });
  });

  it('a place that is left late is held from there; one that was given away is not left at all', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    const slot = take(ledger);
    clock.pass(8_000);
    expect(slotLeaves(ledger, slot, single, DEADLINE_MS)).toBe(true);
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({
      waitMs: DEADLINE_MS + holdMs(single),
    });
    clock.pass(DEADLINE_MS + holdMs(single));
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('slotId');
    expect(slotLeaves(ledger, slot, single, DEADLINE_MS)).toBe(false);
  });

  it('knows how many requests the platform can have counted with one', () => {
    const ledger = testLedger();
    take(ledger);
    const second = takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS);
    take(ledger);
    takeSlot(ledger, 'another client', rule, 'push', DEADLINE_MS);
    expect(second).toMatchObject({ places: 2 });
    expect(slotsSince(ledger, 'c', 'slotId' in second ? second.slotId : 0)).toBe(1);
  });

  it('counts places of another boot in full, and is not moved by the wall clock', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    takeSlot(ledger, 'c', single, 'push', DEADLINE_MS);
    clock.setWall(clock.nowMs() + 86_400_000);
    expect(takeSlot(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('waitMs');
    const rebooted = { ...ledger, clock: manualClock('2026-03-02T08:00:00.000Z', 'boot-2') };
    expect(takeSlot(rebooted, 'c', single, 'push', DEADLINE_MS)).toEqual({
      waitMs: DEADLINE_MS + holdMs(single),
    });
  });

  it('counts places of another boot by the deadline they were taken with, not by the one of whoever finds them', () => {
    const ledger = testLedger(manualClock());
    const single = { ...rule, requests: 1 };
    takeSlot(ledger, 'c', single, 'push', DEADLINE_MS);
    const rebooted = { ...ledger, clock: manualClock('2026-03-02T08:00:00.000Z', 'boot-2') };
    expect(takeSlot(rebooted, 'c', single, 'push', 1_000)).toEqual({ waitMs: DEADLINE_MS + holdMs(single) });
  });

  describe('where requests got no answer', () => {
    const pair = { ...rule, requests: 2 };
    const HELD_MS = DEADLINE_MS + holdMs(pair);
    const next = (ledger: Ledger, asked = 'main') => takeSlot(ledger, 'c', pair, 'push', DEADLINE_MS, asked);
    const taken = (ledger: Ledger, asked?: string): number => {
      const slot = next(ledger, asked);
      if (!('slotId' in slot)) throw new Error(`no place is free for ${slot.waitMs} ms`);
      return slot.slotId;
    };

    it('their places are taken for a period more once an answer comes: only now may they have been read', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      slotLost(ledger, taken(ledger));
      clock.pass(HELD_MS + 50_000);
      slotAnswered(ledger, taken(ledger), pair);
      expect(next(ledger)).toEqual({ waitMs: holdMs(pair) });
      clock.pass(holdMs(pair));
      expect([next(ledger), next(ledger)]).toEqual(
        Array(2).fill({ slotId: expect.any(Number), places: expect.any(Number) }),
      );
    });

    it('and their places use up the quota, one goes at a time, a deadline and a period apart', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      for (const slot of [taken(ledger), taken(ledger)]) slotLost(ledger, slot);
      clock.pass(HELD_MS);
      slotLost(ledger, taken(ledger));
      expect(next(ledger)).toEqual({ waitMs: HELD_MS });
      clock.pass(HELD_MS);
      slotAnswered(ledger, taken(ledger), pair);
      // All four may have been read just now.
      clock.pass(holdMs(pair) - 1);
      expect(next(ledger)).toEqual({ waitMs: 1 });
    });

    it('an answer of another host says nothing about them', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      slotLost(ledger, taken(ledger));
      clock.pass(HELD_MS);
      slotAnswered(ledger, taken(ledger, 'other'), pair);
      clock.pass(holdMs(pair));
      slotAnswered(ledger, taken(ledger), pair);
      expect(next(ledger)).toEqual({ waitMs: holdMs(pair) });
    });

    it('of a process that died nobody knows more: its place is kept as well', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      taken(ledger);
      clock.pass(HELD_MS);
      slotThrottled(ledger, 'c', taken(ledger), pair, 1);
      clock.pass(1);
      expect(next(ledger)).toEqual({ waitMs: holdMs(pair) - 1 });
    });

    it('another host has half of the quota left to it, however many they are', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const nextOf = (asked: string) => takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS, asked);
      for (let lost = 0; lost < rule.requests; lost += 1) nextOf('main');
      clock.pass(DEADLINE_MS + holdMs(rule));
      const gone = Array.from({ length: 5 }, () => 'slotId' in nextOf('other'));
      expect(gone).toEqual([true, true, true, true, false]);
      // And one at a time is asked whether it reads again.
      expect(['slotId' in nextOf('main'), 'slotId' in nextOf('main')]).toEqual([true, false]);
    });

    it('a few of them make no room for more: with what was answered elsewhere they stay within the quota', () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const nextOf = (asked: string) => takeSlot(ledger, 'c', rule, 'push', DEADLINE_MS, asked);
      for (const asked of ['main', 'main', 'token main']) nextOf(asked);
      clock.pass(DEADLINE_MS + holdMs(rule));
      const gone = Array.from({ length: 6 }, () => 'slotId' in nextOf('other'));
      expect(gone).toEqual([true, true, true, true, false, false]);
    });
  });

  it('keeps a pause over a reboot, for as long as a place is taken at most', () => {
    const ledger = testLedger(manualClock());
    slotThrottled(ledger, 'c', take(ledger), rule, 60_000);
    const clock = manualClock('2026-03-02T08:00:00.000Z', 'boot-2');
    const rebooted = { ...ledger, clock };
    expect(takeSlot(rebooted, 'c', rule, 'push', DEADLINE_MS)).toEqual({
      waitMs: DEADLINE_MS + holdMs(rule),
    });
    clock.pass(DEADLINE_MS + holdMs(rule));
    expect(takeSlot(rebooted, 'c', rule, 'push', DEADLINE_MS)).toHaveProperty('slotId');
  });

  it('lets no window of a period, fixed or sliding, see more arrivals than the quota, whatever the latency', () => {
    const exchange = fc.record({
      pause: fc.nat(2_000),
      toPlatform: fc.nat(1_000),
      back: fc.nat(1_000),
      answered: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 30, maxLength: 80 }), fc.boolean(), (exchanges, even) => {
        const clock = manualClock();
        const ledger = testLedger(clock);
        const tested: QuotaRule = { ...rule, pace: even ? 'even' : 'burst' };
        const arrivals: number[] = [];
        const answers: { at: number; slotId: number }[] = [];
        const settleUntil = (until: number) => {
          for (const due of answers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)) {
            clock.pass(Math.max(0, due.at - clock.monotonicMs()));
            slotAnswered(ledger, due.slotId, tested);
            answers.splice(answers.indexOf(due), 1);
          }
          clock.pass(Math.max(0, until - clock.monotonicMs()));
        };
        for (const { pause, toPlatform, back, answered } of exchanges) {
          settleUntil(clock.monotonicMs() + pause);
          let taken = takeSlot(ledger, 'c', tested, 'push', DEADLINE_MS);
          while ('waitMs' in taken) {
            settleUntil(clock.monotonicMs() + taken.waitMs);
            taken = takeSlot(ledger, 'c', tested, 'push', DEADLINE_MS);
          }
          const now = clock.monotonicMs();
          arrivals.push(now + toPlatform);
          if (answered) answers.push({ at: now + toPlatform + back, slotId: taken.slotId });
        }
        arrivals.sort((a, b) => a - b);
        for (let i = tested.requests; i < arrivals.length; i += 1) {
          const first = arrivals[i - tested.requests] ?? 0;
          expect((arrivals[i] ?? 0) - first).toBeGreaterThanOrEqual(tested.perMs);
        }
      }),
      { numRuns: 25 },
    );
  });
});
