import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdMs, type QuotaRule } from '../../../src/domain/environment/quota-rule.js';
import { mapSeries } from '../../../src/domain/process/series.js';
import { endPermit, type HeldPermit, takePermit } from '../../../src/ledger/permits/quota.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { manualClock } from '../../support/manual-clock.js';
import { samples } from '../../support/samples.js';
import { testLedger } from '../../support/staged-ledger.js';

const rule: QuotaRule = { requests: 7, perMs: 6_000, reserve: 0, pace: 'burst' };
const DEADLINE_MS = 3_000;
/** How long a permit without an answer stays taken: the time to leave, the deadline, and a period. */
const UNANSWERED_MS = 2 * DEADLINE_MS + holdMs(rule);

/** Takes a permit, which must be free. */
async function take(ledger: Ledger, by = rule, host?: string): Promise<HeldPermit> {
  const taken = await takePermit(ledger, 'c', by, 'push', DEADLINE_MS, host);
  if (!('permitId' in taken)) throw new Error(`no permit is free for ${taken.waitMs} ms`);
  return taken;
}

const answered = (ledger: Ledger, permit: HeldPermit) => endPermit(ledger, permit, { kind: 'answered' });
const unused = (ledger: Ledger, permit: HeldPermit) => endPermit(ledger, permit, { kind: 'unused' });
const throttled = (ledger: Ledger, permit: HeldPermit, forMs: number) =>
  endPermit(ledger, permit, { kind: 'throttled', forMs });

/** No answer comes, and the permit stays taken as long as it was taken for. */
async function lose(ledger: Ledger, permit: HeldPermit): Promise<void> {
  await endPermit(ledger, permit, { kind: 'lost', leftMs: permit.leaveByMs });
}

describe('takePermit', () => {
  it('gives the quota and no more until a permit is free', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    for (let i = 0; i < 7; i += 1)
      expect(await takePermit(ledger, 'c', rule, 'push', DEADLINE_MS)).toHaveProperty('permitId');
    expect(await takePermit(ledger, 'c', rule, 'push', DEADLINE_MS)).toEqual({ waitMs: UNANSWERED_MS });
    expect(await takePermit(ledger, 'another client', rule, 'push', DEADLINE_MS)).toHaveProperty('permitId');
  });

  it('keeps a permit a period after its answer, and until the deadline and a period without one', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    const taken = await take(ledger, single);
    clock.pass(500);
    await answered(ledger, taken);
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({ waitMs: holdMs(single) });
    clock.pass(holdMs(single));
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('permitId');
    clock.pass(UNANSWERED_MS - 1);
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({ waitMs: 1 });
  });

  it('gives a permit back at once when no byte left', async () => {
    const ledger = testLedger();
    const single = { ...rule, requests: 1 };
    await unused(ledger, await take(ledger, single));
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('permitId');
  });

  it('spreads requests over the period at an even pace', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const even: QuotaRule = { ...rule, pace: 'even' };
    await takePermit(ledger, 'c', even, 'push', DEADLINE_MS);
    const wait = await takePermit(ledger, 'c', even, 'push', DEADLINE_MS);
    expect(wait).toEqual({ waitMs: Math.floor(6_000 / 7) });
  });

  it('keeps the reserve for reruns and tokens', async () => {
    const ledger = testLedger();
    const reserved = { ...rule, reserve: 2 };
    for (let i = 0; i < 5; i += 1) await takePermit(ledger, 'c', reserved, 'push', DEADLINE_MS);
    expect(await takePermit(ledger, 'c', reserved, 'push', DEADLINE_MS)).toHaveProperty('waitMs');
    expect(await takePermit(ledger, 'c', reserved, 'token', DEADLINE_MS)).toHaveProperty('permitId');
    expect(await takePermit(ledger, 'c', reserved, 'rerun', DEADLINE_MS)).toHaveProperty('permitId');
  });

  it('pauses the client id for every process after a 429, and never shortens a pause', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const [first, second] = [await take(ledger), await take(ledger)];
    await throttled(ledger, first, 2_000);
    await throttled(ledger, second, 500);
    expect(await takePermit(ledger, 'c', rule, 'token', DEADLINE_MS)).toEqual({ waitMs: 2_000 });
    clock.pass(2_000);
    expect(await takePermit(ledger, 'c', rule, 'token', DEADLINE_MS)).toHaveProperty('permitId');
  });

  describe('after a pause', () => {
    const paused = async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      await throttled(ledger, await take(ledger), 2_000);
      clock.pass(2_000);
      return { clock, ledger, probe: await take(ledger) };
    };
    const next = async (ledger: Ledger) => takePermit(ledger, 'c', rule, 'push', DEADLINE_MS);

    it('one request goes first, and the others wait for its answer', async () => {
      const { ledger, probe } = await paused();
      expect(await next(ledger)).toEqual({ waitMs: UNANSWERED_MS });
      await answered(ledger, probe);
      expect(await next(ledger)).toHaveProperty('permitId');
      expect(await next(ledger)).toHaveProperty('permitId');
    });

    it('a probe that meets 429 starts the pause again, with a probe at its end', async () => {
      const { clock, ledger, probe } = await paused();
      await throttled(ledger, probe, 3_000);
      expect(await next(ledger)).toEqual({ waitMs: 3_000 });
      clock.pass(3_000);
      expect(await next(ledger)).toHaveProperty('permitId');
      expect(await next(ledger)).toHaveProperty('waitMs');
    });

    it('the answer to an earlier request frees no request', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const [earlier, refused] = [await take(ledger), await take(ledger)];
      await throttled(ledger, refused, 2_000);
      clock.pass(2_000);
      await take(ledger);
      await answered(ledger, earlier);
      expect(await next(ledger)).toHaveProperty('waitMs');
    });

    it.each([
      ['was lost', lose],
      ['never left', unused],
    ])('another probe goes where the first %s', async (_, ended) => {
      const { ledger, probe } = await paused();
      await ended(ledger, probe);
      expect(await next(ledger)).toHaveProperty('permitId');
      expect(await next(ledger)).toHaveProperty('waitMs');
    });

    it('another probe goes where the process of the first died', async () => {
      const { clock, ledger } = await paused();
      clock.pass(UNANSWERED_MS);
      expect(await next(ledger)).toHaveProperty('permitId');
      expect(await next(ledger)).toHaveProperty('waitMs');
    });
  });

  it('a request may leave for as long as its deadline lasts, and no other request gets its permit until then', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    const taken = await takePermit(ledger, 'c', single, 'push', DEADLINE_MS);
    expect(taken).toMatchObject({ leaveByMs: clock.monotonicMs() + DEADLINE_MS });
    clock.pass(DEADLINE_MS);
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toEqual({
      waitMs: DEADLINE_MS + holdMs(single),
    });
  });

  it('knows how many requests the platform can have counted with one', async () => {
    const ledger = testLedger();
    await take(ledger);
    const second = await take(ledger);
    await take(ledger);
    await takePermit(ledger, 'another client', rule, 'push', DEADLINE_MS);
    expect(second).toMatchObject({ permitsTaken: 2 });
    expect(await answered(ledger, second)).toBe(3);
  });

  it('counts permits of another boot in full, and is not moved by the wall clock', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const single = { ...rule, requests: 1 };
    await takePermit(ledger, 'c', single, 'push', DEADLINE_MS);
    clock.setWall(clock.nowMs() + 86_400_000);
    expect(await takePermit(ledger, 'c', single, 'push', DEADLINE_MS)).toHaveProperty('waitMs');
    const rebooted = rebootedLedger(ledger);
    expect(await takePermit(rebooted, 'c', single, 'push', DEADLINE_MS)).toEqual({ waitMs: UNANSWERED_MS });
  });

  it('counts permits of another boot by the deadline they were taken with, not by that of the process that finds them', async () => {
    const ledger = testLedger(manualClock());
    const single = { ...rule, requests: 1 };
    await takePermit(ledger, 'c', single, 'push', DEADLINE_MS);
    const rebooted = rebootedLedger(ledger);
    expect(await takePermit(rebooted, 'c', single, 'push', 1_000)).toEqual({ waitMs: UNANSWERED_MS });
  });

  describe('where requests got no answer', () => {
    const pair = { ...rule, requests: 2 };
    const HELD_MS = 2 * DEADLINE_MS + holdMs(pair);
    const next = async (ledger: Ledger, host = 'main') =>
      takePermit(ledger, 'c', pair, 'push', DEADLINE_MS, host);
    const taken = (ledger: Ledger, host = 'main') => take(ledger, pair, host);

    it('their permits are taken for a period more once an answer comes: only now may they have been read', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      await lose(ledger, await taken(ledger));
      clock.pass(HELD_MS + 50_000);
      await answered(ledger, await taken(ledger));
      expect(await next(ledger)).toEqual({ waitMs: holdMs(pair) });
      clock.pass(holdMs(pair));
      expect([await next(ledger), await next(ledger)]).toEqual(
        Array(2).fill(expect.objectContaining({ permitId: expect.any(Number) })),
      );
    });

    it('and their permits use up the quota, one goes at a time, a deadline and a period apart', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      for (const slot of [await taken(ledger), await taken(ledger)]) await lose(ledger, slot);
      clock.pass(HELD_MS);
      await lose(ledger, await taken(ledger));
      expect(await next(ledger)).toEqual({ waitMs: HELD_MS });
      clock.pass(HELD_MS);
      await answered(ledger, await taken(ledger));
      // All four may have been read just now.
      clock.pass(holdMs(pair) - 1);
      expect(await next(ledger)).toEqual({ waitMs: 1 });
    });

    it('an answer of another host says nothing about them', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      await lose(ledger, await taken(ledger));
      clock.pass(HELD_MS);
      await answered(ledger, await taken(ledger, 'other'));
      clock.pass(holdMs(pair));
      await answered(ledger, await taken(ledger));
      expect(await next(ledger)).toEqual({ waitMs: holdMs(pair) });
    });

    it('a process that died left an unknown result: its permit is kept as well', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      await taken(ledger);
      clock.pass(HELD_MS);
      await throttled(ledger, await taken(ledger), 1);
      clock.pass(1);
      expect(await next(ledger)).toEqual({ waitMs: holdMs(pair) - 1 });
    });

    it('another host has half of the quota left to it, however many they are', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const nextOf = async (host: string) => takePermit(ledger, 'c', rule, 'push', DEADLINE_MS, host);
      for (let lost = 0; lost < rule.requests; lost += 1) await nextOf('main');
      clock.pass(UNANSWERED_MS);
      const gone = await mapSeries(
        Array(5).fill('other'),
        async (host) => 'permitId' in (await nextOf(host)),
      );
      expect(gone).toEqual([true, true, true, true, false]);
      // And one request at a time probes whether it reads again.
      expect(['permitId' in (await nextOf('main')), 'permitId' in (await nextOf('main'))]).toEqual([
        true,
        false,
      ]);
    });

    it('a few of them make no room for more: with what was answered elsewhere they stay within the quota', async () => {
      const clock = manualClock();
      const ledger = testLedger(clock);
      const nextOf = async (host: string) => takePermit(ledger, 'c', rule, 'push', DEADLINE_MS, host);
      for (const host of ['main', 'main', 'token main']) await nextOf(host);
      clock.pass(UNANSWERED_MS);
      const gone = await mapSeries(
        Array(6).fill('other'),
        async (host) => 'permitId' in (await nextOf(host)),
      );
      expect(gone).toEqual([true, true, true, true, false, false]);
    });
  });

  it('keeps a pause over a reboot, for as long as a permit is taken at most', async () => {
    const ledger = testLedger(manualClock());
    await throttled(ledger, await take(ledger), 60_000);
    const clock = manualClock('2026-03-02T08:00:00.000Z', 'boot-2');
    const rebooted = { ...ledger, clock, local: clock };
    expect(await takePermit(rebooted, 'c', rule, 'push', DEADLINE_MS)).toEqual({ waitMs: UNANSWERED_MS });
    clock.pass(UNANSWERED_MS);
    expect(await takePermit(rebooted, 'c', rule, 'push', DEADLINE_MS)).toHaveProperty('permitId');
  });

  it('allows no more arrivals than the quota in any window of a period, fixed or sliding, whatever the latency', async () => {
    const exchange = fc.record({
      pause: fc.nat(2_000),
      toPlatform: fc.nat(1_000),
      back: fc.nat(1_000),
      isAnswered: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 30, maxLength: 80 }),
        fc.boolean(),
        async (exchanges, even) => {
          const clock = manualClock();
          const ledger = testLedger(clock);
          const tested: QuotaRule = { ...rule, pace: even ? 'even' : 'burst' };
          const arrivals: number[] = [];
          const answers: { at: number; permit: HeldPermit }[] = [];
          const waitUntil = async (until: number) => {
            for (const due of answers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)) {
              clock.pass(Math.max(0, due.at - clock.monotonicMs()));
              await answered(ledger, due.permit);
              answers.splice(answers.indexOf(due), 1);
            }
            clock.pass(Math.max(0, until - clock.monotonicMs()));
          };
          for (const { pause, toPlatform, back, isAnswered } of exchanges) {
            await waitUntil(clock.monotonicMs() + pause);
            let taken = await takePermit(ledger, 'c', tested, 'push', DEADLINE_MS);
            while ('waitMs' in taken) {
              await waitUntil(clock.monotonicMs() + taken.waitMs);
              taken = await takePermit(ledger, 'c', tested, 'push', DEADLINE_MS);
            }
            const now = clock.monotonicMs();
            arrivals.push(now + toPlatform);
            if (isAnswered) answers.push({ at: now + toPlatform + back, permit: taken });
          }
          arrivals.sort((a, b) => a - b);
          for (let i = tested.requests; i < arrivals.length; i += 1) {
            const first = arrivals[i - tested.requests] ?? 0;
            expect((arrivals[i] ?? 0) - first).toBeGreaterThanOrEqual(tested.perMs);
          }
        },
      ),
      { numRuns: samples(25) },
    );
  });
});

/** The ledger as a process sees it after a restart of the machine. */
function rebootedLedger(ledger: Ledger): Ledger {
  const clock = manualClock('2026-03-02T08:00:00.000Z', 'boot-2');
  return { ...ledger, clock, local: clock };
}
