import { describe, expect, it, test } from 'vitest';
import { maskAddresses, maskRefusal, maskText } from '../../../src/report/words/mask.js';

describe('a masked text', () => {
  it.each<[string, string]>([
    ['jane@example.com', 'j…@e….com'],
    ['jane.doe@mail.example.com', 'j…@m….com'],
    ['Jane.Doe@EXAMPLE.COM', 'J…@E….COM'],
    ['jane@localhost', 'j…@l…'],
    ['pavel@@northwind.example', 'p…@@n….example'],
    ['a@b.de; c@d.de', 'a…@b….de; c…@d….de'],
    ['Jane…', 'J…'],
    ['Jane Doe', 'J… D…'],
    ['"Jane Doe"', '"J… D…'],
    ['00123456', '0…56'],
    ['E-1042', 'E…42'],
    ['4711', '4…'],
    ['李小龙', '李…'],
    ['jane%40example.com', 'j…%40e….com'],
    ['', ''],
  ])('%s is %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it.each(['jane@example.com', 'Jane Doe', 'jane'])('%s is masked once', (text) => {
    expect(maskText(maskText(text))).toBe(maskText(text));
  });
});

test.each<[string, string]>([
  ['Invalid user identifier: jane@example.com', 'Invalid user identifier: j…@e….com'],
  ['"jane@example.com", <bob@example.de>.', '"j…@e….com", <b…@e….de>.'],
  ['mailto:jane@example.com?subject=x', 'mailto:j…@e…=x'],
  ['user=jane%40example.com&x', 'user=j…%40e…'],
  ['@example.com is no address', '@e….com is no address'],
  ['nobody here', 'nobody here'],
])('in %s addresses alone are masked', (text, masked) => {
  expect(maskAddresses(text)).toBe(masked);
});

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
    'a quote that is never closed',
    'line 3 opens a quote (") that ends nowhere',
    'line 3 opens a quote (") that ends nowhere',
  ],
])('%s', (_, sentence, masked) => {
  expect(maskRefusal(sentence)).toBe(masked);
});
