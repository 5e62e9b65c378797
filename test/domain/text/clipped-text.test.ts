import { expect, it } from 'vitest';
import { isClippedFrom, repeatClipper } from '../../../src/domain/text/clipped-text.js';

const LONG = 'a remark that many rows have, '.repeat(40);

it('a long text is whole in the first row and clipped in the others, a short one is whole in all', () => {
  const clip = repeatClipper();
  expect([clip(LONG, 2), clip('short', 2), clip('short', 3)]).toEqual([LONG, 'short', 'short']);
  expect(clip(LONG, 3)).toBe(
    `${LONG.slice(0, 100)}… [clipped: ${LONG.length} characters, all of them in row 2]`,
  );
});

it('a clipped text equals the text it was clipped from, and no other', () => {
  const clip = repeatClipper();
  clip(LONG, 2);
  const given = clip(LONG, 3);
  expect(isClippedFrom(LONG, given)).toBe(true);
  for (const other of [`${LONG}!`, `b${LONG.slice(1)}`, '']) expect(isClippedFrom(other, given)).toBe(false);
  expect(isClippedFrom(LONG, given.replace('row', 'line'))).toBe(false);
});
