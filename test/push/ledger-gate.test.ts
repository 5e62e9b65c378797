import { describe, expect, it } from 'vitest';
import type { Permit } from '../../src/domain/environment/gate.js';
import type { QuotaRule } from '../../src/domain/environment/quota-rule.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import { testLedger } from '../support/staged-ledger.js';
import { virtualClock } from '../support/virtual-clock.js';

const RULE: QuotaRule = { requests: 2, perMs: 60_000, reserve: 0, pace: 'burst' };
const DEADLINE_MS = 30_000;

/** A gate, and the virtual time of each query. */
const gateWith = (rule: Partial<QuotaRule> = {}) => {
  const clock = virtualClock();
  const ledger = testLedger(clock);
  const quota = { ...RULE, ...rule };
  const gate = ledgerGate(ledger, { clientId: 'client', quota, pace: quota.pace }, clock);
  const timed = async (purpose: 'push' | 'rerun' = 'push') => {
    const startedMs = clock.monotonicMs();
    const permit = (await gate.acquire(purpose, DEADLINE_MS)) as Permit;
    return { permit, waitedMs: clock.monotonicMs() - startedMs };
  };
  return { clock, ledger, gate, timed };
};

describe('the third request of a quota of two waits', () => {
  it('a period from the answer on', async () => {
    const { clock, timed } = gateWith();
    const [first, second] = [await timed(), await timed()];
    await clock.sleep(5_000);
    await first.permit.answered();
    await second.permit.answered();
    const third = await timed();
    expect([first.waitedMs, second.waitedMs]).toEqual([0, 0]);
    expect(third.waitedMs).toBeGreaterThanOrEqual(60_000);
    expect(third.waitedMs).toBeLessThan(60_500);
  });

  it('the deadline and a period where no answer came', async () => {
    const { timed } = gateWith();
    for (const { permit } of [await timed(), await timed()]) {
      permit.mayLeave();
      await permit.lost();
    }
    const { waitedMs } = await timed();
    expect(waitedMs).toBeGreaterThanOrEqual(90_000);
    expect(waitedMs).toBeLessThan(90_500);
  });

  it('not at all where one of the two never left', async () => {
    const { timed } = gateWith();
    await timed();
    await (await timed()).permit.unused();
    expect((await timed()).waitedMs).toBe(0);
  });
});

it('permits kept for reruns by hand are not for pushing', async () => {
  const { clock, gate, timed } = gateWith({ reserve: 1 });
  await timed();
  const stop = new AbortController();
  const pushing = gate.acquire('push', DEADLINE_MS, stop.signal);
  expect((await timed('rerun')).waitedMs).toBe(0);
  await clock.sleep(10_000);
  stop.abort();
  expect(await pushing).toBeNull();
});

it('while the client id is paused nothing leaves, however many permits are free', async () => {
  const { timed } = gateWith({ requests: 3 });
  const { permit } = await timed();
  await permit.throttled(20_000);
  expect((await timed()).waitedMs).toBe(20_000);
});

it('a caller that cancels while waiting gets no permit and takes none', async () => {
  const { ledger, gate, timed } = gateWith();
  await timed();
  await timed();
  const stop = new AbortController();
  const waiting = gate.acquire('push', DEADLINE_MS, stop.signal);
  stop.abort();
  expect(await waiting).toBeNull();
  const environments = [{ name: 'main', clientId: 'client', rechecks: 0 }];
  expect((await readState(ledger, ['environments'], { environments })).environments).toMatchObject([
    { quota: { permits: 2 } },
  ]);
});
