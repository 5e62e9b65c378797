import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backOffMs } from '../../src/push/answer-policy.js';

it.each([
  { tries: 1, waitMs: 2_000 },
  { tries: 2, waitMs: 4_000 },
  { tries: 5, waitMs: 32_000 },
  { tries: 9, waitMs: 300_000 },
  { tries: 5_000, waitMs: 300_000 },
  { tries: 0, waitMs: 2_000 },
])('after $tries tries the middle of the waits is $waitMs ms', ({ tries, waitMs }) => {
  expect(backOffMs({ firstMs: 2_000, longestMs: 300_000 }, tries, 0.5)).toBe(waitMs);
});

it('waits are spread by a quarter either way, so that rows which failed together part', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 100 }),
      (random, tries) => {
        const middle = backOffMs({ firstMs: 100, longestMs: 10_000 }, tries, 0.5);
        const wait = backOffMs({ firstMs: 100, longestMs: 10_000 }, tries, random);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(middle * 0.75));
        expect(wait).toBeLessThanOrEqual(Math.ceil(middle * 1.25));
      },
    ),
  );
});
