import { expect, it } from 'vitest';
import { redact } from '../../../src/platform/answers/redact.js';

it.each([
  ['as it is', 'Bearer s3cret+/ x', 'Bearer [redacted] x'],
  ['again and again', 's3cret+/s3cret+/', '[redacted][redacted]'],
  ['as an address writes it', 'a=s3cret%2B%2F', 'a=[redacted]'],
  ['not there', 'nothing here', 'nothing here'],
])('a secret %s', (_, text, expected) => {
  expect(redact(text, ['s3cret+/'])).toBe(expected);
});

it.each([
  ['as a form writes it', 'two words', 'x=two+words&y', 'x=[redacted]&y'],
  ['as JSON writes it', 'quo"te\\d', '{"a":"quo\\"te\\\\d"}', '{"a":"[redacted]"}'],
  [
    'as JSON within JSON writes it',
    'quo"te\\d',
    JSON.stringify(JSON.stringify({ a: 'quo"te\\d' })),
    '"{\\"a\\":\\"[redacted]\\"}"',
  ],
  [
    'with escapes that JSON doesn’t need',
    'one/two+3',
    '{"a":"one\\/tw\\u006f\\u002B3"}',
    '{"a":"[redacted]"}',
  ],
  [
    'with letters beyond ASCII, escaped',
    'é😀-long',
    '\\u00e9\\uD83D\\ude00-long %c3%a9%F0%9f%98%80-long',
    '[redacted] [redacted]',
  ],
  ['as an address within an address writes it', 'one/two', 'x=one%252ftwo', 'x=[redacted]'],
  [
    'that looks like an escape itself',
    'a%25b&amp;c',
    'a%25b&amp;c a%2525b%26amp%3Bc',
    '[redacted] [redacted]',
  ],
  ['that ends in a percent sign', 'ends in %', 'x=ends%20in%20%25', 'x=[redacted]'],
  ['as HTML writes it', `<a&b>"'c`, '<p>&lt;a&amp;b&#62;&quot;&#x27;c</p>', '<p>[redacted]</p>'],
  [
    'with a backslash, as HTML writes it',
    'long\\b',
    'long&#92;b &#x5C; long&#x05c;b',
    '[redacted] &#x5C; [redacted]',
  ],
  ['with two backslashes', 'two\\\\b', 'two\\\\b {"a":"two\\\\\\\\b"}', '[redacted] {"a":"[redacted]"}'],
])('a secret %s', (_, secret, text, expected) => {
  expect(redact(text, [secret])).toBe(expected);
});

it('where two secrets begin alike, the longer one is redacted as a whole', () => {
  expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('[redacted] [redacted]');
});

it('the empty secret and one of three letters replace nothing', () => {
  expect(redact('an abc', ['', 'abc'])).toBe('an abc');
});

it.each(['', 'a', 'ab', 'abc'])('a secret in base64 is redacted behind %j', (before) => {
  for (const alphabet of ['base64', 'base64url'] as const) {
    const text = Buffer.from(`${before}s3cret>>??ÿ${before}`).toString(alphabet);
    // A letter at each end is half the neighbour's.
    expect(redact(`x ${text} y`, ['s3cret>>??ÿ'])).toMatch(/^x \w{0,6}\[redacted\][\w=]{0,6} y$/);
  }
});

it.each([
  ['a secret', 'Bearer s3cret-an', 'Bearer [redacted]'],
  ['an escape within a secret', 'Bearer s3cret%2', 'Bearer [redacted]'],
  ['something else', 'Bearer s3crates of fruit', 'Bearer s3crates of fruit'],
])('a text that ends within %s shows nothing of the secret', (_, text, expected) => {
  expect(redact(text, ['s3cret-and-more'], true)).toBe(expected);
});

it('the beginning of a secret stays in a text that is whole', () => {
  expect(redact('s3cret-an', ['s3cret-and-more'])).toBe('s3cret-an');
});

it('a large text that looks like the beginning again and again is gone through once', () => {
  const token = `eyJhbGciOi${'x'.repeat(2_000)}`;
  for (const text of ['\\'.repeat(1_000_000), 'eyJh'.repeat(250_000), '%25'.repeat(300_000)]) {
    // Squared, it would take minutes.
    expect(redact(text, [token])).toBe(text);
  }
});

it.each(['hex', 'HEX', 'Hex'])('a secret in hexadecimal digits is redacted: %s', (how) => {
  const hex = Buffer.from('s3cret>>??ÿ').toString('hex');
  const written =
    how === 'hex' ? hex : how === 'HEX' ? hex.toUpperCase() : hex.replace(/[a-c]/g, (d) => d.toUpperCase());
  expect(redact(`İ 0x${written}${written} é`, ['s3cret>>??ÿ'])).toBe('İ 0x[redacted][redacted] é');
});

it('a secret with the escapes of a program', () => {
  expect(redact('\\x733cret\\x2b', ['s3cret+'])).toBe('[redacted]');
});

it.each(['hex', 'base64'] as const)(
  'a text that ends within a secret in %s shows nothing of it',
  (encoding) => {
    const written = Buffer.from('s3cret-and-more').toString(encoding);
    expect(redact(`x ${written.slice(0, 12)}`, ['s3cret-and-more'], true)).toBe('x [redacted]');
  },
);
