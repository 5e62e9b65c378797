import { expect, it } from 'vitest';
import { redact } from '../../src/platform/redact.js';

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
])('a secret %s', (_, secret, text, expected) => {
  expect(redact(text, [secret])).toBe(expected);
});

it('of two secrets that begin alike the longer one goes as a whole', () => {
  expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('[redacted] [redacted]');
});

it('the empty secret and one of three letters replace nothing', () => {
  expect(redact('an abc', ['', 'abc'])).toBe('an abc');
});
