import { describe, expect, it } from 'vitest';
import { lateAnswers, overtaken, overtakenDelivering, undisturbedOutcome } from '../support/overtaken.js';
import { sampled } from '../support/samples.js';

/** A process of each test takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('a run that was stopped while it imported files, and overtaken', () => {
  it.each(sampled(['drop-claimed:1', 'drop-published:1', 'drop-placed:1', 'batch-committed:2']))(
    'at %s changes nothing when it wakes',
    SLOW,
    async (moment) => {
      const { bench, other, woken } = await overtaken(moment);
      expect(other.code).toBe(1);
      expect([0, 1], woken.stderr).toContain(woken.code);
      expect(await bench.breaches({ repeats: false })).toEqual([]);
      expect(bench.outcome()).toEqual(await undisturbedOutcome());
    },
  );
});

describe('a run that was stopped while it delivered, and overtaken', () => {
  it('after the platform has answered brings a late answer, which settles a row in doubt', SLOW, async () => {
    const { bench, postsAfterWaking } = await overtakenDelivering('answer-received:2', { unknown: 'hold' });
    expect(postsAfterWaking).toBe(0);
    expect(lateAnswers(bench)).toEqual([{ outcome: 'accepted', state: 'accepted', repeats: 0 }]);
    expect(await bench.breaches({ repeats: false })).toEqual([]);
    expect(bench.outcome()).toEqual(await undisturbedOutcome());
  });
});
