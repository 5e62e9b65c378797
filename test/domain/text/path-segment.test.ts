import { expect, test } from 'vitest';
import { isPathSegment, leadsTo } from '../../../src/domain/text/path-segment.js';

test.each(['C-1', 'C 1/a', 'a?b=c', 'a#b', '....', '. .', 'x;y', '100%', 'ä', '😀', '.hidden', 'v1..2'])(
  '%j is one segment of a path',
  (text) => {
    expect(isPathSegment(text)).toBe(true);
    const path = `/api/v2/content/${encodeURIComponent(text)}/relationships/skills`;
    expect(leadsTo('https://h/base', path)).toBe(true);
  },
);

test.each([
  '',
  '.',
  '..',
  '../../../oauth/token',
  'a/../b',
  'a//b',
  '/',
  'a/',
  '..\\..',
  'a\\b',
  '%2e%2e',
  '%2E.',
  '%252e%252e',
  'a%2f..',
  '%5c',
  '．．',
  '\u2025',
  'a\u0000b',
  'a\u0085b',
  '\ud800',
])('%j is no segment of a path', (text) => {
  expect(isPathSegment(text)).toBe(false);
});

test.each([
  '/content/../skills',
  '/content/./skills',
  '/content//skills',
  '/content/',
  '/content/%2e%2e/skills',
  '/content/..%2Fx/skills',
  '/content/a\\b',
  '/content/ä',
  '/content/a?x#y',
  '.example/content',
])('a request for %s leads elsewhere', (path) => {
  expect(leadsTo('https://h', path)).toBe(false);
});

test.each([
  ['https://h', '/a'],
  ['https://h/base', '/a/b%20c'],
  ['https://H:443//odd/../base', '/a?x=..&y=/../'],
  ['http://localhost:1', '/a/%C3%A4'],
])('a request below %s for %s leads there', (baseUrl, path) => {
  expect(leadsTo(baseUrl, path)).toBe(true);
});
