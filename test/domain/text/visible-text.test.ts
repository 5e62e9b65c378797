import { expect, it } from 'vitest';
import { visibleLines, visibleText } from '../../../src/domain/text/visible-text.js';

it.each<[string, string, string]>([
  ['plain text', 'Zoë, 東京 👩‍🚀 ', 'Zoë, 東京 👩‍🚀 '],
  ['a backslash', 'C:\\temp', 'C:\\temp'],
  ['a NUL', 'a\u0000b', 'a\\u0000b'],
  ['a tab', 'a\tb', 'a\\tb'],
  ['line ends', 'a\r\nb', 'a\\r\\nb'],
  ['ESC', '\u001b[2J', '\\u001b[2J'],
  ['DEL', 'a\u007fb', 'a\\u007fb'],
  ['a C1 control', 'a\u0085b', 'a\\u0085b'],
  ['an override of direction', '\u202eexe', '\\u202eexe'],
  ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['a mark of direction', 'a\u200fb', 'a\\u200fb'],
  ['a space without width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
  ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a paragraph separator', 'a\u2029b', 'a\\u2029b'],
  ['a blank letter', 'a\u3164b', 'a\\u3164b'],
  ['half a character', 'a\ud800b\udc00', 'a\\ud800b\\udc00'],
  ['no character', '\uffff\u{1fffe}', '\\uffff\\ud83f\\udffe'],
  ['a tag character', '\u{e0041}', '\\udb40\\udc41'],
])('visible text shows %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleLines(text)).toBe(shown.replaceAll('\\n', '\n'));
});

it('visible text leaves the values of a JSON document unchanged', () => {
  const document = { a: '\u001b\u0085\u2028\u202e\ud800\u{e0041}\n', '\u007f': '\\u001b' };
  const shown = visibleLines(JSON.stringify(document, null, 2));
  expect(JSON.parse(shown)).toEqual(document);
  expect(shown.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
});
