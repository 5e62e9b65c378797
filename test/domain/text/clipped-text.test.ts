import { expect, it } from 'vitest';
import { clippedToCell, isClippedFrom, LONGEST_CELL } from '../../../src/domain/text/clipped-text.js';

const LONG = 'a remark of many\r\nwords, '.repeat(2_000);

it('a text that no cell holds is clipped, and any other is whole', () => {
  expect(clippedToCell(LONG)).toHaveLength(LONGEST_CELL);
  for (const text of ['short', LONG.slice(0, LONGEST_CELL)]) expect(clippedToCell(text)).toBe(text);
});

it('a clipped text equals the text it was clipped from, and no other', () => {
  const clipped = clippedToCell(LONG);
  for (const cell of [clipped, clipped.replaceAll('\r\n', '\n')])
    expect(isClippedFrom(LONG, cell)).toBe(true);
  for (const other of [`b${LONG.slice(1)}`, LONG.slice(0, LONGEST_CELL), '']) {
    expect(isClippedFrom(other, clipped)).toBe(false);
  }
});
