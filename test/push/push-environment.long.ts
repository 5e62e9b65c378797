import { describe, it } from 'vitest';
import type { ScheduledFault } from '../../src/sandbox/faults.js';
import {
  isNotAbandonedAt,
  isSentWithinOneBound,
  nothingIsNoticedAt,
  type Pace,
  quotaIsUsedAt,
  stalledFor,
} from './push-trials.js';

// Further latencies, faults and stalls: push-environment.test.ts has one of each.

describe('the quota', () => {
  it.each([100, 2_000])(
    'is used to 60 / (60.5 + latency) at %i ms of latency, and never exceeded',
    quotaIsUsedAt,
  );
});

describe('a platform that answers much with 429', () => {
  it.each(['server-error', 'drop-after'] as const)(
    'isn’t abandoned as long as it answers something else now and then (%s)',
    isNotAbandonedAt,
  );
});

describe('what the platform says about the quota', () => {
  it.each([3_000])(
    'causes no notice while no other program uses the client id, at %i ms of latency',
    nothingIsNoticedAt,
  );
});

describe('a request that may have been written', () => {
  it.each<[string, ScheduledFault]>([
    ['each answer a web page', { kind: 'html', times: 999 }],
    ['each answer cut off', { kind: 'drop-after', times: 999 }],
  ])('is resent within one bound over all runs, %s', async (_, fault) => isSentWithinOneBound(fault));
});

describe('a platform that stalls and then reads its sockets', () => {
  it.each<[number, Pace]>([
    [20, 'even'],
    [65, 'even'],
    [100, 'even'],
    [400, 'even'],
    [100, 'burst'],
  ])('for %i s sees no more than the quota in any minute, at pace %s', stalledFor);
});
