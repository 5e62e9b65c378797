import { expect, test } from 'vitest';
import { didYouMean, suggestion } from '../../src/config/did-you-mean.js';

test.each([
  ['timezone', ['timeZone'], 'timeZone'],
  ['client_secret', ['clientId', 'clientSecret'], 'clientSecret'],
  ['acadmey', ['academy', 'acme'], 'academy'],
  ['qouta', ['quota'], 'quota'],
  ['fast', ['even', 'burst'], null],
  ['x', ['name'], null],
  ['', ['a'], null],
  ['mach', ['match', 'much'], 'match'],
])('%s among %j means %s', (word, candidates, expected) => {
  expect(didYouMean(word, candidates)).toBe(expected);
});

test('a name without a near match gets a list of all valid names', () => {
  expect(suggestion('fast', ['even', 'burst'])).toBe('; use one of even, burst');
  expect(suggestion('fast', ['even'])).toBe('; use even');
  expect(suggestion('fast', [])).toBe('');
  expect(suggestion('evn', ['even', 'burst'])).toBe('; did you mean even?');
});
