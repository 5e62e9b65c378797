import { describe, expect, it } from 'vitest';
import { nextRows } from '../../src/staging/stage-rows.js';

describe('how many rows go into one transaction', () => {
  it('at most doubles, until it takes the time that it is aimed at', () => {
    expect(sizes({ from: 2_000, rowsPerMs: 10, aimMs: 500 })).toEqual([4_000, 5_000, 5_000]);
  });

  it('shrinks at once when a disk becomes slow, and never below what a slow disk gets', () => {
    expect(sizes({ from: 5_000, rowsPerMs: 6, aimMs: 500 })).toEqual([3_000, 3_000, 3_000]);
    expect(sizes({ from: 3_000, rowsPerMs: 1, aimMs: 500 })).toEqual([2_000, 2_000, 2_000]);
  });

  it.each([
    [0, 40_000],
    [1_000_000, 40_000],
    [5_000_000, 100_000],
  ])('beside %i submissions is at most %i', (submissions, rows) => {
    expect(nextRows(1_000_000, 1_000, 10_000, submissions)).toBe(rows);
  });
});

/** The sizes of the transactions after one of `from` rows, on a disk that writes so many rows in a millisecond. */
function sizes({ from, rowsPerMs, aimMs }: { from: number; rowsPerMs: number; aimMs: number }) {
  const written: number[] = [];
  for (let rows = from; written.length < 3; written.push(rows))
    rows = nextRows(rows, rows / rowsPerMs, aimMs, 0);
  return written;
}
