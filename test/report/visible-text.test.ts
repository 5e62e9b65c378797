import { expect, it } from 'vitest';
import { visibleText } from '../../src/report/visible-text.js';

it.each<[string, string, string]>([
  ['plain text', 'Zoë, 東京 👩‍🚀 ‏'.slice(0, -1), 'Zoë, 東京 👩‍🚀 '],
  ['a NUL', 'a\u0000b', 'a␀b'],
  ['a tab', 'a\tb', 'a␉b'],
  ['DEL', 'a\u007fb', 'a␡b'],
  ['a C1 control', 'a\u0085b', 'a[U+0085]b'],
  ['an override of direction', '\u202eexe', '[U+202E]exe'],
  ['an isolate', '\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['a mark of direction', 'a\u200fb', 'a[U+200F]b'],
  ['a space without width', 'a\u200bb\ufeff', 'a[U+200B]b[U+FEFF]'],
  ['a soft hyphen', 'a\u00adb', 'a[U+00AD]b'],
  ['a line separator', 'a\u2028b', 'a[U+2028]b'],
  ['a blank letter', 'a\u3164b', 'a[U+3164]b'],
  ['half a character', 'a\ud800b\udc00', 'a[U+D800]b[U+DC00]'],
  ['no character', '\uffff\u{1fffe}', '[U+FFFF][U+1FFFE]'],
  ['a tag character', '\u{e0041}', '[U+E0041]'],
])('shows %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
