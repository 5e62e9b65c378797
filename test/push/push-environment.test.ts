import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Gate } from '../../src/domain/environment/gate.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { unknownLearners } from '../../src/ledger/books/unknown-learners.js';
import { isLease, releaseLease, takeLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import { countCanary } from '../../src/ledger/submissions/canary.js';
import { classifyFailure } from '../../src/platform/answers/classify.js';
import type { PlatformClient } from '../../src/platform/client.js';
import type { PushResult } from '../../src/push/push-environment.js';
import type { ScheduledFault } from '../../src/sandbox/faults.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { writeDirectly } from '../support/damage.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { lives, traceOf } from '../support/ledger-trace.js';
import { ANOTHER, type PushBench, pushBench } from '../support/push-bench.js';
import { sandboxConnection } from '../support/sandbox-connection.js';
import { statsOf } from '../support/sandbox-stats.js';
import { select } from '../support/select.js';
import { claimNext, mustLease, stage, states, submission, THROTTLED } from '../support/staged-ledger.js';
import {
  completions,
  isNotAbandonedAt,
  isSentWithinOneBound,
  MINUTE_MS,
  nothingIsNoticedAt,
  noticed,
  type Pace,
  quotaIsUsedAt,
  runsOf,
  SMALL,
  SMALL_QUOTA,
  stalledFor,
  throttledPush,
} from './push-trials.js';

const attemptsIn = async ({ ledger }: PushBench) => (await ledgerTotals(ledger)).attempts;

async function refusalsOf({ ledger }: PushBench, submissionId: number): Promise<number> {
  const { lives } = await traceOf(ledger, `#${submissionId}`);
  return lives.flatMap(({ transitions }) => transitions.filter(({ event }) => event === 'rejected')).length;
}

/**
 * A push that is stopped between its first claim and the request's first byte, for so long; meanwhile its lease
 * expires and a second one takes over.
 */
function pushedAfterSleep(bench: PushBench, sleptMs: number) {
  let second: Promise<PushResult> | null = null;
  const { client } = bench;
  const slept = {
    client: {
      ...client,
      async send(...args: Parameters<PlatformClient['send']>) {
        writeDirectly(bench.ledger, "update lease set expires_mono_ms = 0 where name = 'push:main'");
        second = bench.push({ owner: ANOTHER });
        await bench.clock.sleep(sleptMs);
        return client.send(...args);
      },
    },
  };
  return { slept, result: () => second };
}

describe('the quota', () => {
  it.each([400])('is used to 60 / (60.5 + latency) at %i ms of latency, and never exceeded', quotaIsUsedAt);

  it('is spread over the period: no second sees more than the tenth of it that may catch up', async () => {
    const bench = pushBench({ environment: { quota: { requests: 30, per: '1m' } } });
    await stage(bench.ledger, completions(26));
    await bench.push();
    const times = bench.sentAtMs();
    const withinASecond = times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length);
    expect(Math.max(...withinASecond)).toBeLessThanOrEqual(4);
    expect(withinASecond.filter((count) => count === 1).length).toBeGreaterThan(20);
  });

  it('is sent at once where the settings allow a burst, and then not before the period is over', async () => {
    const bench = pushBench({ environment: { pace: 'burst', quota: SMALL_QUOTA } });
    await stage(bench.ledger, completions(SMALL + 5));
    await bench.push();
    const times = bench.sentAtMs();
    // One permit of the quota went to the token.
    expect(times[SMALL - 2]).toBeLessThan(2_000);
    expect(times[SMALL - 1]).toBeGreaterThan(MINUTE_MS);
    expect(statsOf(bench.platform).overQuota).toBe(0);
  });

  it('is kept to by two runs one after the other', async () => {
    const bench = pushBench({ environment: { pace: 'burst', quota: SMALL_QUOTA } });
    for (const user of ['ada@example.org', 'bea@example.org']) {
      await stage(
        bench.ledger,
        Array.from({ length: SMALL - 3 }, (_, n) => ({ user, content: `C-${n}` })),
      );
      await bench.push();
    }
    expect(bench.platform.completions()).toHaveLength(2 * SMALL - 6);
    expect(statsOf(bench.platform).mostInAnyWindow).toBeLessThanOrEqual(SMALL);
  });

  it('is left unused for the time that a 429 names, and no try is spent', async () => {
    const bench = pushBench({
      sandbox: { faults: { schedule: [{ kind: 'throttle', at: 5, retryAfterS: 30 }] } },
    });
    await stage(bench.ledger, completions(10));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    const times = bench.sentAtMs();
    expect((times[5] ?? 0) - (times[4] ?? 0)).toBeGreaterThanOrEqual(30_000);
    expect(await submission(bench.ledger, 5)).toMatchObject({ state: 'accepted', tries: 0, repeats: 0 });
  });
});

describe('after a 429', () => {
  it('one request goes first, and nothing else before its answer', async () => {
    const bench = pushBench({
      latencyMs: 4_000,
      sandbox: { faults: { schedule: [{ kind: 'throttle', at: 5, retryAfterS: 20 }] } },
    });
    await stage(bench.ledger, completions(16));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    const times = bench.sentAtMs();
    const resumed = times.findIndex((at, n) => n > 0 && at - (times[n - 1] ?? 0) >= 15_000);
    expect((times[resumed + 1] ?? 0) - (times[resumed] ?? 0)).toBeGreaterThanOrEqual(4_000);
    expect((times[resumed + 2] ?? 0) - (times[resumed + 1] ?? 0)).toBeLessThan(2_000);
  });
});

describe('a platform that answers much with 429', () => {
  it.each(['refusal'] as const)(
    'isn’t abandoned as long as it answers something else now and then (%s)',
    isNotAbandonedAt,
  );

  it('is abandoned when it answers nothing else', async () => {
    const bench = pushBench({ environment: { outage: '10s' } });
    expect(await throttledPush(bench, () => false, { kind: 'refusal' })).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching('answers every request with 429'),
    });
  });
});

describe('what the platform says about the quota', () => {
  it('is noted when another program uses the client id, once, with the numbers', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(20));
    const { send } = bench.client;
    const client = {
      ...bench.client,
      async send(...args: Parameters<PlatformClient['send']>) {
        if (bench.sentAtMs().length >= 10) await send(args[0], args[1], () => true);
        return send(...args);
      },
    };
    expect(await bench.push({ client })).toEqual({ kind: 'drained' });
    expect(bench.events.filter(({ kind }) => kind === 'noticed')).toHaveLength(1);
    const [notice] = await noticed(bench);
    expect(notice).toMatchObject({ code: 'other-consumer', requests: 70, ours: 21, counted: 31 });
  });

  it.each([5])(
    'causes no notice while no other program uses the client id, at %i ms of latency',
    nothingIsNoticedAt,
  );

  it('is noted when the token host’s 429 names a quota other than the configured one', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(1));
    const outcome = { ...THROTTLED, quota: { requests: 30, per: '1m' } } as Outcome & { kind: 'throttled' };
    const { tokens } = sandboxConnection(bench.platform, bench.config, bench.clock, bench.gate, 200);
    let isFirst = true;
    const get = async (scope: string) => {
      if (!isFirst) return tokens.get(scope);
      isFirst = false;
      return { outcome };
    };
    expect(await bench.push({ tokens: { ...tokens, get } })).toEqual({ kind: 'drained' });
    expect(await noticed(bench)).toMatchObject([{ code: 'quota-differs', platform: outcome.quota }]);
  });

  it('is noted when a 429 names a quota other than the configured one', async () => {
    const bench = pushBench({ sandbox: { quota: { requests: 10, perMs: 60_000 } } });
    await stage(bench.ledger, completions(14));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(await noticed(bench)).toContainEqual({
      code: 'quota-differs',
      platform: { requests: 10, per: '1m' },
      configured: { requests: 70, perMs: 60_000 },
    });
  });
});

describe('order', () => {
  it('completions of one slot go oldest first, each after the answer to the one before', async () => {
    const bench = pushBench({ latencyMs: 5_000 });
    const at = (day: number) => ({ at: `2026-01-0${day}T09:00:00.000Z` });
    await stage(bench.ledger, [at(3), at(1), at(2)]);
    await bench.push();
    const received = bench.platform.received.filter(({ path }) => path.startsWith('/api/'));
    expect(received.map(({ attributes }) => (attributes as Record<string, string>)['completed-at'])).toEqual([
      '2026-01-01T09:00:00.000Z',
      '2026-01-02T09:00:00.000Z',
      '2026-01-03T09:00:00.000Z',
    ]);
    expect(bench.sentAtMs()[1]).toBeGreaterThanOrEqual(5_000);
  });

  it('an older completion that comes in while the newer one is under way is held once that is accepted', async () => {
    const bench = pushBench({ latencyMs: 5_000 });
    await stage(bench.ledger, [{ at: '2026-02-01T09:00:00.000Z' }]);
    const pushed = bench.push();
    await bench.clock.sleep(8_000);
    expect(await states(bench.ledger)).toEqual(['sending']);
    await stage(bench.ledger, [{ at: '2026-01-01T09:00:00.000Z' }]);
    expect(await pushed).toEqual({ kind: 'drained' });
    expect(await states(bench.ledger)).toEqual(['accepted', 'held:out-of-order']);
  });

  it('no more requests are under way than the environment allows', async () => {
    const bench = pushBench({ latencyMs: 20_000, environment: { inFlight: 2 } });
    await stage(bench.ledger, completions(6));
    await bench.push();
    const times = bench.sentAtMs();
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(20_000);
    expect((times[4] ?? 0) - (times[2] ?? 0)).toBeGreaterThanOrEqual(20_000);
  });
});

describe('an outage', () => {
  it('ends the push once it has lasted as long as is allowed, with few requests, and every row waits', async () => {
    const bench = pushBench({ sandbox: { faults: parseFaults('server-error=1') } });
    await stage(bench.ledger, completions(50));
    const result = await bench.push();
    expect(result).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(/^the platform fails on every request: HTTP 500, .*platform\.example\)$/),
    });
    expect(new Set(await states(bench.ledger))).toEqual(new Set(['waiting']));
    // Five until it is noticed, then one at a time at growing distances.
    expect(bench.sentAtMs().length).toBeLessThan(15);
    const lastedMs = bench.sentAtMs().at(-1) ?? 0;
    expect(lastedMs).toBeGreaterThan(60_000);
    expect(lastedMs).toBeLessThan(150_000);
  });

  it('that ends in time costs nothing', async () => {
    const bench = pushBench({ sandbox: { faults: parseFaults('server-error@3x9') } });
    await stage(bench.ledger, completions(20));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(new Set(await states(bench.ledger))).toEqual(new Set(['accepted']));
    expect(bench.platform.completions()).toHaveLength(20);
    expect(bench.events.some(({ kind }) => kind === 'paused')).toBe(true);
  });
});

describe('a row that the platform always fails on', () => {
  const poison = { kind: 'server-error', match: 'learner1@', times: 99 } as const;

  it('fails after its tries while others are accepted', async () => {
    const bench = pushBench({ sandbox: { faults: { schedule: [poison] } } });
    await stage(bench.ledger, completions(40));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(await submission(bench.ledger, 2)).toMatchObject({ state: 'failed', tries: 5 });
    expect((await states(bench.ledger)).filter((state) => state === 'accepted')).toHaveLength(39);
  });

  it('waits when it is alone: that looks like an outage, run after run', async () => {
    const bench = pushBench({ sandbox: { faults: { schedule: [poison] } } });
    await stage(bench.ledger, [{ user: 'learner1@example.org' }]);
    for (let run = 0; run < 3; run += 1) expect(await bench.push()).toMatchObject({ kind: 'unavailable' });
    expect(await submission(bench.ledger, 1)).toMatchObject({ state: 'waiting', tries: 0 });
  });

  it('waits when the outage begins with it', async () => {
    const bench = pushBench({ sandbox: { faults: { schedule: [{ ...poison, match: 'learner4@' }] } } });
    await stage(bench.ledger, completions(5));
    expect(await bench.push()).toMatchObject({ kind: 'unavailable' });
    expect(await submission(bench.ledger, 5)).toMatchObject({ state: 'waiting' });
  });
});

describe('a request that may have been written', () => {
  it.each<[string, ScheduledFault]>([
    ['each answer 500', { kind: 'server-error', written: true, times: 999 }],
  ])('is resent within one bound over all runs, %s', async (_, fault) => isSentWithinOneBound(fault));

  it('has a new bound after a rerun', async () => {
    const faults = { schedule: [{ kind: 'server-error', written: true, times: 999 }] } as const;
    const bench = pushBench({ environment: { resends: 1 }, sandbox: { faults } });
    await stage(bench.ledger, completions(1));
    expect(await runsOf(bench, 3)).toEqual([2]);
    const rerun = { kind: 'rerun', who: decider('test'), because: null, selection: {} } as const;
    await decide(bench.ledger, rerun, await select(bench.ledger, { states: ['in-doubt'] }), null);
    expect(await runsOf(bench, 3)).toEqual([4]);
  });

  it('goes at once when another row shows that the platform works', async () => {
    const bench = pushBench({ sandbox: { faults: parseFaults('server-error@1x30') } });
    await stage(bench.ledger, completions(3));
    await runsOf(bench, 2);
    expect(new Set(await states(bench.ledger))).toEqual(new Set(['waiting']));
    bench.platform.setFaults({});
    await stage(bench.ledger, completions(1, { content: 'C-9' }));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(new Set(await states(bench.ledger))).toEqual(new Set(['accepted']));
  });

  it('waits as long as a 503 requests, also while the platform isn’t known to work', async () => {
    const bench = pushBench({
      sandbox: { faults: { schedule: [{ kind: 'server-error', status: 503, retryAfterS: 90, times: 1 }] } },
    });
    await stage(bench.ledger, completions(1));
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(bench.sentAtMs()[1]).toBeGreaterThanOrEqual(91_000);
  });
});

describe('a platform that stalls and then reads its sockets', () => {
  it.each<[number, Pace]>([
    [170, 'even'],
    [170, 'burst'],
  ])('for %i s sees no more than the quota in any minute, at pace %s', stalledFor);

  it('gets few requests meanwhile, over several runs as well', async () => {
    const bench = pushBench({
      environment: { quota: { requests: 40, per: '1m' } },
      sandbox: { quota: { requests: 40, perMs: MINUTE_MS } },
      stall: { at: 15, ms: 3_600_000 },
    });
    await stage(bench.ledger, completions(60));
    for (let run = 0; run < 4; run += 1) {
      expect(await bench.push()).toMatchObject({ kind: 'unavailable' });
      await bench.clock.sleep(13 * MINUTE_MS);
    }
    expect((await attemptsIn(bench)) - 15).toBeLessThan(30);
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(statsOf(bench.platform)).toMatchObject({ overQuota: 0 });
    expect(statsOf(bench.platform).mostInAnyWindow).toBeLessThanOrEqual(40);
  });
});

describe('an outage that is known from an earlier run', () => {
  it('gets one request at a time until the platform answers soundly', async () => {
    const bench = pushBench({ sandbox: { faults: parseFaults('server-error=1') } });
    await stage(bench.ledger, completions(60));
    await bench.push();
    await bench.clock.sleep(15 * MINUTE_MS);
    const before = bench.sentAtMs().length;
    await bench.push();
    const [first = 0, second = 0] = bench.sentAtMs().slice(before);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(bench.sentAtMs().length - before).toBeLessThan(10);
  });
});

it('a token host that gives out a refused token again ends the push after one request, and every row waits', async () => {
  const bench = pushBench();
  await stage(bench.ledger, completions(3));
  const tokens = { get: async () => ({ token: 'stale' }), refuse: () => {}, close: async () => {} };
  expect(await bench.push({ tokens })).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringMatching('refuses the token: the token host gives it out again'),
  });
  expect(bench.sentAtMs()).toHaveLength(1);
  expect(await states(bench.ledger)).toEqual(['waiting', 'waiting', 'waiting']);
});

describe('a permit that can’t be used is given back, and the next row uses it', () => {
  /** The bench's gate, with what happens after the nth permit and before its use. */
  function gateWith({ gate }: PushBench, meanwhile: (nth: number) => unknown): Gate {
    let permits = 0;
    return {
      async acquire(...how: Parameters<Gate['acquire']>) {
        const permit = await gate.acquire(...how);
        permits += 1;
        await meanwhile(permits);
        return permit;
      },
    };
  }

  it('where another process has dismissed the row by then', async () => {
    const bench = pushBench({ environment: { quota: { requests: 3, per: '1m' }, pace: 'burst' } });
    await stage(bench.ledger, completions(3));
    const gate = gateWith(bench, async (nth) => {
      if (nth !== 1) return;
      const dismissal = {
        kind: 'dismiss',
        who: decider('ada'),
        because: 'wrong course',
        selection: {},
      } as const;
      await decide(bench.ledger, dismissal, [{ submissionId: 1, state: 'waiting' }], null);
    });
    expect(await bench.push({ gate })).toEqual({ kind: 'drained' });
    expect(await states(bench.ledger)).toEqual(['dismissed', 'accepted', 'accepted']);
    expect(bench.sentAtMs().at(-1)).toBeLessThan(10_000);
  });

  it('where the platform has refused the token by then', async () => {
    const bench = pushBench({ environment: { quota: { requests: 4, per: '1m' }, pace: 'burst' } });
    await stage(bench.ledger, completions(2));
    const { platform, config, clock } = bench;
    const { tokens } = sandboxConnection(platform, config, clock, bench.gate, 200);
    let isStale = true;
    const staleFirst = {
      ...tokens,
      get: async (scope: string) => (isStale ? { token: 'stale' } : tokens.get(scope)),
      refuse: () => {
        isStale = false;
      },
    };
    const gate = gateWith(bench, (nth) => nth === 2 && clock.sleep(2_000));
    expect(await bench.push({ gate, tokens: staleFirst })).toEqual({ kind: 'drained' });
    expect(await states(bench.ledger)).toEqual(['accepted', 'accepted']);
    expect(bench.sentAtMs()).toHaveLength(3);
    expect(bench.sentAtMs().at(-1)).toBeLessThan(10_000);
  });
});

describe('answers that never come', () => {
  it('lead to resends within the bound, then to doubt', async () => {
    const bench = pushBench({
      environment: { resends: 2 },
      sandbox: { faults: { schedule: [{ kind: 'drop-after', match: 'learner0', times: 9 }] } },
    });
    await stage(bench.ledger, completions(8));
    await bench.push();
    expect(await submission(bench.ledger, 1)).toMatchObject({ state: 'in-doubt', repeats: 2, resends: 2 });
    expect((await states(bench.ledger)).filter((state) => state === 'accepted')).toHaveLength(7);
    expect(statsOf(bench.platform).repeatedWrites).toBe(2);
  });

  it('leave rows in doubt at once where the environment says hold', async () => {
    const bench = pushBench({
      environment: { unknown: 'hold' },
      sandbox: { faults: parseFaults('drop-after@1') },
    });
    await stage(bench.ledger, completions(3));
    await bench.push();
    expect(await states(bench.ledger)).toEqual(['in-doubt', 'accepted', 'accepted']);
    expect(statsOf(bench.platform).repeatedWrites).toBe(0);
  });
});

const DAY_MS = 86_400_000;

describe('a learner the platform does not know', () => {
  it('costs one request, however many rows there are, and one more when the recheck is due', async () => {
    const bench = pushBench({ environment: { recheck: { after: '1d' } } });
    const rows = Array.from({ length: 20 }, (_, n) => ({ user: 'unknown@example.org', content: `C-${n}` }));
    // The pace catches up at the start: by the eighth row each request is answered before the next.
    await stage(bench.ledger, [...completions(8), ...rows]);
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect((await states(bench.ledger)).slice(8)).toEqual([
      'rejected',
      ...Array(19).fill('held:learner-unknown'),
    ]);
    expect(bench.sentAtMs()).toHaveLength(9);
    await bench.push();
    expect(bench.sentAtMs()).toHaveLength(9);
    await bench.clock.sleep(86_400_000);
    await bench.push();
    expect(bench.sentAtMs()).toHaveLength(10);
    expect((await states(bench.ledger)).slice(8)).toEqual([
      'rejected',
      ...Array(19).fill('held:learner-unknown'),
    ]);
  });

  it('is rechecked week after week with the row that was refused, until known: then all rows go', async () => {
    const unknown = ['new@example.org'];
    const bench = pushBench({
      sandbox: { learners: { unknown } },
      environment: { recheck: { after: '7d', times: 4 } },
    });
    await stage(bench.ledger, [{ user: 'new@example.org' }]);
    await bench.push();
    await stage(bench.ledger, [{ user: 'new@example.org', content: 'C-2' }]);
    const weeks: string[][] = [];
    for (let day = 1; day <= 21; day += 1) {
      await bench.clock.sleep(DAY_MS);
      if (day === 20) unknown.pop();
      await bench.push();
      if (day % 7 === 0) weeks.push([...(await states(bench.ledger)), `${bench.sentAtMs().length} requests`]);
    }
    expect(weeks).toEqual([
      ['rejected', 'held:learner-unknown', '2 requests'],
      ['rejected', 'held:learner-unknown', '3 requests'],
      ['accepted', 'accepted', '5 requests'],
    ]);
    expect(await unknownLearners(bench.ledger, {}, 1)).toMatchObject({ learners: 0 });
  });

  it('is left to people when the rechecks are spent, or there are to be none', async () => {
    for (const times of [2, 0]) {
      const bench = pushBench({ environment: { recheck: { after: '7d', times } } });
      await stage(bench.ledger, [{ user: 'unknown@example.org' }]);
      for (let week = 0; week < 6; week += 1) {
        await bench.push();
        await bench.clock.sleep(7 * DAY_MS);
      }
      expect(bench.sentAtMs()).toHaveLength(1 + times);
      expect(await states(bench.ledger)).toEqual(['rejected']);
    }
  });
});

it('a long push rechecks an unknown learner in between', async () => {
  const bench = pushBench({
    environment: { quota: { requests: 1, per: '5m' }, recheck: { after: '10m', times: 2 } },
  });
  await stage(bench.ledger, [{ user: 'unknown@example.org' }, ...completions(4)]);
  expect(await bench.push()).toEqual({ kind: 'drained' });
  expect(await refusalsOf(bench, 1)).toBe(3);
});

it('a push ends with the error of a recheck of an unknown learner', async () => {
  const bench = pushBench({
    environment: { quota: { requests: 1, per: '5m' }, recheck: { after: '10m', times: 2 } },
  });
  await stage(bench.ledger, [{ user: 'unknown@example.org' }, ...completions(4)]);
  writeDirectly(
    bench.ledger,
    `create trigger planted before update on learner_hold begin select raise(abort, 'planted'); end`,
  );
  await expect(bench.push()).rejects.toThrow('planted');
});

describe('a drop whose first rows are nearly all refused', () => {
  const bench = async (count: number, environment = {}) => {
    const made = pushBench({ environment: { canary: { rows: 20, maxRejected: 15 }, ...environment } });
    await stage(
      made.ledger,
      completions(count).map((row, n) => ({ ...row, user: `unknown.${n}@example.org` })),
    );
    return made;
  };

  it('is stopped: its other rows are held, other drops go on, and a rerun by hand sends the held rows', async () => {
    const { ledger, push, sentAtMs, events } = await bench(60);
    const other = await stage(ledger, completions(10));
    expect(await push()).toEqual({ kind: 'drained' });
    expect(sentAtMs().length).toBeLessThan(16 + 10 + 5);
    const ofFirst = (await states(ledger)).slice(0, 60);
    expect(new Set(ofFirst)).toEqual(new Set(['rejected', 'held:canary']));
    expect((await states(ledger)).slice(60)).toEqual(Array(10).fill('accepted'));
    expect(events.filter(({ kind }) => kind === 'canary')).toEqual([
      { kind: 'canary', environment: 'main', dropId: other.dropId - 1, answered: 16, refused: 16 },
    ]);

    const sent = sentAtMs().length;
    const held = ofFirst.indexOf('held:canary') + 1;
    const rerun = { kind: 'rerun', who: decider('test'), because: null, selection: {} } as const;
    await decide(ledger, rerun, await select(ledger, { submissionIds: [held], states: ['held'] }), null);
    await push();
    expect(sentAtMs()).toHaveLength(sent + 1);
    expect((await states(ledger))[held - 1]).toBe('rejected');
  });

  it('also holds a row that was under way when it was stopped and comes back', async () => {
    const stopped = await bench(60, { quota: { requests: 60, per: '6s' } });
    const { client } = stopped;
    const slow = {
      ...client,
      async send(...args: Parameters<PlatformClient['send']>) {
        const isLast = JSON.stringify(args[0]).includes('unknown.16@');
        if (!isLast) return client.send(...args);
        await stopped.clock.sleep(3_000);
        const failure = { code: 'ECONNREFUSED', message: 'refused', sent: false };
        const outcome = classifyFailure(failure);
        return { outcome, response: null, failure, startedAtMs: stopped.clock.nowMs(), durationMs: 3_000 };
      },
    };
    expect(await stopped.push({ client: slow })).toEqual({ kind: 'drained' });
    expect((await states(stopped.ledger))[16]).toBe('held:canary');
  });

  it('is held to the last row though the process died while holding', async () => {
    const { ledger, push } = await bench(20);
    const row = { dropId: 1, environment: 'main', priority: 0 };
    for (let count = 1; count <= 16; count += 1)
      await countCanary(ledger, row, 'rejected', { rows: 20, maxRejected: 15 });
    expect(await push()).toEqual({ kind: 'drained' });
    expect(await states(ledger)).toEqual(Array(20).fill('held:canary'));
  });

  it('goes on where its first rows are sound, and where nothing is to be looked at', async () => {
    const sound = pushBench({ environment: { canary: { rows: 5, maxRejected: 4 } } });
    const refused = Array.from({ length: 10 }, (_, n) => ({ user: `unknown.${n}@example.org` }));
    await stage(sound.ledger, [...completions(5), ...refused]);
    await sound.push();
    expect((await states(sound.ledger)).filter((state) => state === 'rejected')).toHaveLength(10);

    const off = await bench(18, { canary: { rows: 0 } });
    await off.push();
    expect(new Set(await states(off.ledger))).toEqual(new Set(['rejected']));
  });
});

describe('a process that pushes', () => {
  it('is the only one: another learns which', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(3));
    await mustLease(bench.ledger, 'push:main', ANOTHER);
    expect(await bench.push()).toMatchObject({ kind: 'elsewhere', holder: { pid: ANOTHER.pid } });
    expect(bench.sentAtMs()).toEqual([]);
  });

  it('learns that a rerun holding the lease delivers nothing else: what was staged waits for the next run', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(3));
    const runId = await beginRun(bench.ledger, 'rerun', ANOTHER, 'test');
    const lease = await takeLease(bench.ledger, 'push:main', ANOTHER, runId);
    expect(await bench.push()).toMatchObject({ kind: 'elsewhere', takesAll: false });
    expect(await states(bench.ledger)).toEqual(['waiting', 'waiting', 'waiting']);
    if (isLease(lease)) await releaseLease(bench.ledger, lease);
    expect(await bench.push()).toEqual({ kind: 'drained' });
  });

  it('runs one rerun at a time: the rows of another one wait for the next run', async () => {
    const bench = pushBench();
    const purposes: string[] = [];
    const gate: Gate = {
      acquire: (purpose, ...more) => {
        purposes.push(purpose);
        return bench.gate.acquire(purpose, ...more);
      },
    };
    await stage(bench.ledger, completions(4, { at: '2024-05-02T10:00:00.000Z' }));
    await bench.push({ gate });
    // Only a rerun may use the permits that the environment reserves for reruns.
    expect(new Set(purposes)).toEqual(new Set(['push']));
    await stage(bench.ledger, completions(4, { at: '2024-05-01T10:00:00.000Z' }));
    await bench.push();
    const [first = 0, second = 0] = (await select(bench.ledger, { states: ['held'] })).map(
      (row) => row.submissionId,
    );
    const push = async (id: number) => {
      const facts = { kind: 'rerun' as const, who: decider('ada'), because: null, selection: {} };
      const { decisionId } = await decide(bench.ledger, facts, [{ submissionId: id, state: 'held' }], null);
      return bench.push({
        chosenBy: decisionId,
        owner: id === first ? thisProcess() : ANOTHER,
        runId: await beginRun(bench.ledger, 'rerun', thisProcess(), 'test'),
        gate,
      });
    };
    purposes.splice(0);
    const ends = await Promise.all([push(first), push(second)]);
    expect(ends).toContainEqual({ kind: 'drained' });
    expect(ends).toContainEqual(expect.objectContaining({ kind: 'elsewhere', takesAll: false }));
    expect(purposes).toEqual(['rerun']);
    expect((await states(bench.ledger)).filter((state) => state === 'waiting')).toHaveLength(1);
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect((await states(bench.ledger)).slice(4)).toEqual([
      'accepted',
      'accepted',
      'held:out-of-order',
      'held:out-of-order',
    ]);
  });

  it('picks up what is staged meanwhile', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(12));
    const pushed = bench.push();
    await bench.clock.sleep(2_000);
    await stage(bench.ledger, completions(12, { content: 'C-2' }));
    expect(await pushed).toEqual({ kind: 'drained' });
    expect(bench.platform.completions()).toHaveLength(24);
  });

  it('stops when its lease has gone to another, and leaves the rows to that one', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(30));
    const pushed = bench.push();
    await bench.clock.sleep(5_000);
    writeDirectly(
      bench.ledger,
      "update lease set owner = 'another', fence = fence + 1 where name = 'push:main'",
    );
    const begun = await attemptsIn(bench);
    expect(await pushed).toEqual({ kind: 'stopped' });
    expect(await attemptsIn(bench)).toBe(begun);
    const left = await states(bench.ledger);
    expect(left).not.toContain('sending');
    expect(left.filter((state) => state === 'accepted')).toHaveLength(bench.platform.completions().length);
    expect(left.filter((state) => state === 'waiting').length).toBeGreaterThan(10);
  });

  it('sends nothing when it wakes from a stop and finds that another has taken over since its claim', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(3));
    const successor = pushedAfterSleep(bench, 60_000);
    expect(await bench.push(successor.slept)).toEqual({ kind: 'stopped' });
    expect(await successor.result()).toEqual({ kind: 'drained' });
    expect(bench.platform.completions()).toHaveLength(3);
    expect(statsOf(bench.platform)).toMatchObject({ repeatedWrites: 0, overQuota: 0 });
    expect(await states(bench.ledger)).toEqual(['accepted', 'accepted', 'accepted']);
    const answers = (await lives(bench.ledger))
      .flatMap(({ attempts }) => attempts)
      .flatMap((one) => one.answers);
    expect(answers.filter(({ isLate }) => isLate)).toMatchObject([{ failure: 'fenced' }]);
  });

  it('sends nothing under a permit whose time it slept through', async () => {
    const bench = pushBench({ environment: { quota: { requests: 1, per: '1m' } } });
    await stage(bench.ledger, completions(1));
    let checks = 0;
    const sleeping = {
      ...bench.gate,
      acquire: async (...how: Parameters<Gate['acquire']>) => {
        const permit = await bench.gate.acquire(...how);
        checks += 1;
        if (checks === 1) await bench.clock.sleep(how[1] + 1);
        return permit;
      },
    };
    expect(await bench.push({ gate: sleeping })).toEqual({ kind: 'drained' });
    expect(bench.sentAtMs()).toHaveLength(1);
    expect(await submission(bench.ledger, 1)).toMatchObject({ state: 'accepted', tries: 0, repeats: 0 });
    expect(await attemptsIn(bench)).toBe(2);
  });

  it('takes over what a dead owner left under way, as sent and never answered', async () => {
    const bench = pushBench();
    const { runId } = await stage(bench.ledger, completions(2));
    const dead = await mustLease(bench.ledger, 'push:main', { ...ANOTHER, pid: 2 ** 22 - 1 });
    await claimNext(bench.ledger, dead, runId);
    expect(await states(bench.ledger)).toEqual(['sending', 'waiting']);
    expect(await bench.push()).toEqual({ kind: 'drained' });
    expect(await submission(bench.ledger, 1)).toMatchObject({ state: 'accepted', repeats: 1 });
  });
});

describe('a push that is stopped', () => {
  it('begins no further request, and waits for the answers to those under way', async () => {
    const bench = pushBench({ latencyMs: 3_000 });
    await stage(bench.ledger, completions(30));
    const stop = new AbortController();
    const pushed = bench.push({ stop: stop.signal });
    await bench.clock.sleep(10_000);
    stop.abort();
    const begun = await attemptsIn(bench);
    expect(await pushed).toEqual({ kind: 'stopped' });
    expect(bench.sentAtMs()).toHaveLength(begun);
    expect((await states(bench.ledger)).filter((state) => state === 'accepted')).toHaveLength(begun);
    expect(await states(bench.ledger)).not.toContain('sending');
  });

  it('reports what broke the very last delivery', async () => {
    const bench = pushBench({ latencyMs: 500 });
    await stage(bench.ledger, completions(1));
    const client = {
      ...bench.client,
      async send(...args: Parameters<PlatformClient['send']>): Promise<never> {
        await bench.client.send(...args);
        throw new Error('no such thing');
      },
    };
    await expect(bench.push({ client })).rejects.toThrow('no such thing');
  });

  it('by a bug releases the lease and reports the bug', async () => {
    const bench = pushBench();
    await stage(bench.ledger, completions(3));
    const client = { send: () => Promise.reject(new Error('no such thing')), close: async () => {} };
    await expect(bench.push({ client })).rejects.toThrow('no such thing');
    expect((await readState(bench.ledger, ['work'])).work.leases).toEqual([]);
  });
});

it('a finished push is freed, although the signal that could have stopped it lives on', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const bench = pushBench();
  const { signal: stop } = new AbortController();
  const pushed = async () => {
    const listen = () => {};
    await stage(bench.ledger, completions(1));
    expect(await bench.push({ stop, listen })).toEqual({ kind: 'drained' });
    return new WeakRef(listen);
  };
  const listener = await pushed();
  // What has ended lets go of it a moment later.
  await expect
    .poll(() => {
      collect();
      return listener.deref() === undefined;
    })
    .toBe(true);
  expect(stop.aborted).toBe(false);
});
