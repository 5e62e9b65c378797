import { expect, it } from 'vitest';
import { trimText } from '../../../src/normalise/values/trim-text.js';

it.each([
  ['\u00a0 C1\u200b ', 'C1'],
  [' "C1"', 'C1'],
  ['"He said ""no"""', 'He said "no"'],
  ['" C1 "', 'C1'],
  // Quotes that are part of the text.
  ['"Safety" and "Health"', '"Safety" and "Health"'],
  ['Course "A"', 'Course "A"'],
  ['"', '"'],
  ['""', '""'],
])('trims %j to %j', (text, trimmed) => {
  expect(trimText(text)).toBe(trimmed);
});
