import { describe, expect, it } from 'vitest';
import { batchSize } from '../../src/staging/stage-rows.js';

describe('how many rows go into one transaction', () => {
  it('at most doubles, until it takes the time that it is aimed at', async () => {
    const { size, writeAt } = sizes();
    size.aimAt(500);
    expect(writeAt(size, 10)).toEqual([2_000, 4_000, 5_000, 5_000]);
  });

  it('shrinks at once when a disk becomes slow, and never below what a slow disk gets', async () => {
    const { size, writeAt } = sizes();
    size.aimAt(500);
    writeAt(size, 10);
    expect(writeAt(size, 6)).toEqual([5_000, 3_000, 3_000, 3_000]);
    expect(writeAt(size, 1).at(-1)).toBe(2_000);
  });

  it.each([
    [0, 40_000],
    [1_000_000, 40_000],
    [5_000_000, 100_000],
  ])('beside %i submissions is at most %i', async (submissions, rows) => {
    const { size, writeAt } = sizes();
    size.aimAt(10_000);
    size.beside(submissions);
    for (let round = 0; round < 3; round += 1) writeAt(size, 1_000);
    expect(size.rows()).toBe(rows);
  });
});

function sizes() {
  /** The sizes of four transactions on a disk that writes so many rows in a millisecond. */
  const writeAt = (size: ReturnType<typeof batchSize>, rowsPerMs: number) => {
    const written: number[] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      const rows = size.rows();
      written.push(rows);
      size.measured(rows, rows / rowsPerMs);
    }
    return written;
  };
  return { size: batchSize(), writeAt };
}
