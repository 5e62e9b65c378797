import { expect, it } from 'vitest';
import { redact } from '../../../src/platform/answers/redact.js';

it.each([
  ['as is', 'Bearer s3cret+/ x', 'Bearer [redacted] x'],
  ['again and again', 's3cret+/s3cret+/', '[redacted][redacted]'],
  ['not there', 'nothing here', 'nothing here'],
])('a secret %s is redacted', (_, text, expected) => {
  expect(redact(text, ['s3cret+/'])).toBe(expected);
});

it.each([
  ['as an address writes it', 's3cret+/', 'a=s3cret%2B%2F'],
  ['as a form writes it', 'two words', 'x=two+words&y'],
  ['as JSON writes it', 'quo"te\\d', '{"a":"quo\\"te\\\\d"}'],
  ['as JSON within JSON writes it', 'quo"te\\d', JSON.stringify(JSON.stringify({ a: 'quo"te\\d' }))],
  ['with escapes that JSON doesn’t need', 'one/two+3', '{"a":"one\\/tw\\u006f\\u002B3"}'],
  ['with letters beyond ASCII, escaped for JSON', 'é😀-long', '\\u00e9\\uD83D\\ude00-long'],
  ['with letters beyond ASCII, escaped for an address', 'é😀-long', '%c3%a9%F0%9f%98%80-long'],
  ['as an address within an address writes it', 'one/two', 'x=one%252ftwo'],
  ['that looks like an escape itself', 'a%25b&amp;c', 'a%2525b%26amp%3Bc'],
  ['that ends in a percent sign', 'ends in %', 'x=ends%20in%20%25'],
  ['as HTML writes it', `<a&b>"'c`, '<p>&lt;a&amp;b&#62;&quot;&#x27;c</p>'],
  ['with a backslash, as HTML writes it', 'long\\b', 'long&#92;b'],
  ['with two backslashes, as JSON writes them', 'two\\\\b', '{"a":"two\\\\\\\\b"}'],
  ['with the escapes of a program', 's3cret+', '\\x733cret\\x2b'],
])('a text with a secret %s is withheld', (_, secret, text) => {
  expect(redact(`before ${text} after`, [secret])).toBe('[redacted]');
});

it('a secret that looks like an escape itself is redacted as is', () => {
  expect(redact('x a%25b&amp;c y', ['a%25b&amp;c'])).toBe('x [redacted] y');
});

it('where two secrets begin alike, the longer one is redacted as a whole', () => {
  expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('[redacted] [redacted]');
});

it('the empty secret and one of three letters replace nothing', () => {
  expect(redact('an abc', ['', 'abc'])).toBe('an abc');
});

it.each(['', 'a', 'ab', 'abc'])('a text with a secret in base64 behind %j is withheld', (before) => {
  for (const alphabet of ['base64', 'base64url'] as const) {
    const text = Buffer.from(`${before}s3cret>>??ÿ${before}`).toString(alphabet);
    expect(redact(`x ${text} y`, ['s3cret>>??ÿ'])).toBe('[redacted]');
  }
});

it.each([
  ['a secret', 'Bearer s3cret-an', '[redacted]'],
  ['an escape within a secret', 'Bearer s3cret%2', '[redacted]'],
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

it.each(['hex', 'HEX', 'Hex'])('a text with a secret in hexadecimal digits is withheld: %s', (how) => {
  const hex = Buffer.from('s3cret>>??ÿ').toString('hex');
  const written =
    how === 'hex' ? hex : how === 'HEX' ? hex.toUpperCase() : hex.replace(/[a-c]/g, (d) => d.toUpperCase());
  expect(redact(`İ 0x${written} é`, ['s3cret>>??ÿ'])).toBe('[redacted]');
});

it.each(['hex', 'base64'] as const)(
  'a text that ends within a secret in %s shows nothing of it',
  (encoding) => {
    const written = Buffer.from('s3cret-and-more').toString(encoding);
    expect(redact(`x ${written.slice(0, 12)}`, ['s3cret-and-more'], true)).toBe('[redacted]');
  },
);
