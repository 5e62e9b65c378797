import { describe, expect, it } from 'vitest';
import { lateAnswers, overtakenDelivering, undisturbedOutcome } from '../support/overtaken.js';
import { statsOf } from '../support/sandbox-stats.js';

describe('a run that was stopped while it delivered, and overtaken', () => {
  it('before it claimed a row sends nothing when it wakes', async () => {
    const { bench, other, postsAfterWaking } = await overtakenDelivering('permit-taken:3');
    expect([other.code, postsAfterWaking]).toEqual([1, 0]);
    expect(await bench.breaches({ repeats: false })).toEqual([]);
    expect(bench.outcome()).toEqual(await undisturbedOutcome());
  });

  it('after the platform has answered brings a late answer, which changes nothing where the row was sent again', async () => {
    const { bench, postsAfterWaking } = await overtakenDelivering('answer-received:2');
    expect(postsAfterWaking).toBe(0);
    expect(lateAnswers(bench)).toEqual([{ outcome: 'accepted', state: 'accepted', repeats: 1 }]);
    expect(statsOf(bench.sandbox.platform).repeatedWrites).toBe(1);
    expect(await bench.breaches()).toEqual([]);
    expect(bench.outcome()).toEqual(await undisturbedOutcome());
  });
});
