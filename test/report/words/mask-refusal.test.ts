import { expect, it } from 'vitest';
import { maskRefusal } from '../../../src/report/words/mask-refusal.js';

it.each<[string, string, string]>([
  [
    'a line of data where the header should be',
    'no header; the first is line 1 with "Jane Doe", "jane@x.org", "2025-01-01"',
    'no header; the first is line 1 with "J… D…", "j…@x….org", "2…01"',
  ],
  [
    'headers that are known',
    'the nearest is line 3 with "Email", "Course ID"',
    'the nearest is line 3 with "Email", "Course ID"',
  ],
  ['a value with quotes of its own', 'line 1 with "Jane "JD" Doe", "x"', 'line 1 with "J… "J…" D…", "x…"'],
  [
    'an address outside quotes',
    'the sheet of jane@example.com is encrypted.',
    'the sheet of j…@e….com is encrypted.',
  ],
  [
    'a quote that nobody closes',
    'line 3 opens a quote (") that ends nowhere',
    'line 3 opens a quote (") that ends nowhere',
  ],
])('%s', (_, sentence, masked) => {
  expect(maskRefusal(sentence)).toBe(masked);
});
