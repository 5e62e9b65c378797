import { expect, it } from 'vitest';
import { dropMark, parseDropMark } from '../../src/domain/attention-columns.js';

it("a drop's mark reads back as its number and how its hash begins", () => {
  const mark = dropMark(12, '3fa9c0de12ab'.padEnd(64, '0'));
  expect(mark).toBe('12-3fa9c0de12ab');
  expect(parseDropMark(mark)).toEqual({ dropId: 12, sha256: '3fa9c0de12ab' });
});

it.each(['', '12', '12-3FA9C0DE12AB', '12-3fa9c0de12a', 'x-3fa9c0de12ab', ' 12-3fa9c0de12ab'])(
  '%j is no mark of a drop',
  (text) => {
    expect(parseDropMark(text)).toBeNull();
  },
);
