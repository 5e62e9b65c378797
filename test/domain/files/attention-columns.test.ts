import { expect, it } from 'vitest';
import { dropMark, isAttentionName, parseDropMark } from '../../../src/domain/files/attention-columns.js';

it("a drop's mark reads back as its number and how its hash begins", () => {
  const mark = dropMark(12, '3fa9c0de12ab'.padEnd(64, '0'));
  expect(mark).toBe('12-3fa9c0de12ab');
  expect(parseDropMark(mark)).toEqual({ dropId: 12, sha256: '3fa9c0de12ab', version: 0 });
});

it('the mark of a corrected row says by which decision it has its cells', () => {
  const mark = dropMark(12, '3fa9c0de12ab'.padEnd(64, '0'), 7);
  expect(mark).toBe('12-3fa9c0de12ab-7');
  expect(parseDropMark(mark)).toEqual({ dropId: 12, sha256: '3fa9c0de12ab', version: 7 });
});

it.each([
  '',
  '12',
  '12-3FA9C0DE12AB',
  '12-3fa9c0de12a',
  'x-3fa9c0de12ab',
  '12-3fa9c0de12ab-',
  '12-3fa9c0de12ab-x',
  ' 12-3fa9c0de12ab',
])('%j is no mark of a drop', (text) => {
  expect(parseDropMark(text)).toBeNull();
});

it.each([
  ['12-academy.attention.csv', true],
  ['12-academy.attention.xlsx', true],
  ['12-academy.attention (1).csv', true],
  ['12-academy.Attention corrected.XLSX', true],
  ['12-academy.accepted.csv', false],
  ['attention.csv', false],
  ['12-academy.attention.csv.part', false],
  ['12-academy.attention.ods', false],
])('%s is a name of an attention file: %s', (name, expected) => {
  expect(isAttentionName(name)).toBe(expected);
});
