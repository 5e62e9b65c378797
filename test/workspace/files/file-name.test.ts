import { expect, test } from 'vitest';
import { fitFileName } from '../../../src/workspace/files/file-name.js';

const bytes = (text: string) => Buffer.byteLength(text);

test.each([
  ['1-', 'a.csv', '', '1-a.csv'],
  ['', 'line\nbreak.csv', ' (2)', 'line\nbreak.csv (2)'],
  ['', 'x'.repeat(255), '', 'x'.repeat(255)],
])('%j + %j + %j is kept where it fits', (prefix, name, suffix, whole) => {
  expect(fitFileName(prefix, name, suffix)).toBe(whole);
});

test.each([
  ['ASCII', `begin${'x'.repeat(245)}.csv`],
  ['three bytes a letter', `begin${'メ'.repeat(80)}.csv`],
  ['letters of several code points', `begin${'👩‍👩‍👧'.repeat(13)}.csv`],
])('a name of %s gives way in the middle', (_, name) => {
  const fitted = fitFileName('0123abcd-', name, '', 11);
  expect(bytes(fitted)).toBeLessThanOrEqual(244);
  expect(bytes(fitted)).toBeGreaterThan(200);
  expect(fitted).toMatch(/^0123abcd-begin.*….*\.csv$/u);
  expect(fitted).not.toContain('\ufffd');
});
