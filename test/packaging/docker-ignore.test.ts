import { expect, it } from 'vitest';
import { dockerIgnore } from '../support/docker-ignore.js';

it.each<[string, string, boolean]>([
  ['test', 'test', true],
  ['test', 'test/a/b.ts', true],
  ['test', 'src/test', false],
  ['/test/', 'test/a.ts', true],
  ['*.log', 'a.log', true],
  ['*.log', 'src/a.log', false],
  ['**/*.log', 'a.log', true],
  ['**/*.log', 'src/deep/a.log', true],
  ['src/**', 'src/a.ts', true],
  ['src/**/x', 'src/x', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a[b-d]c', 'acc', true],
  ['a.c', 'abc', false],
  ['# test\ntest ', 'test', true],
  ['*\n!src', 'src/a.ts', false],
  ['*\n!src', 'package.json', true],
  ['*\n!src\nsrc/secret', 'src/secret', true],
  ['!src\n*', 'src/a.ts', true],
  ['src\n!src/a.ts', 'src/a.ts', false],
  ['src\n!src/a.ts', 'src/b.ts', true],
  ['', 'anything', false],
])('under the rules %j the path %s is left out: %s', (rules, path, isOmitted) => {
  expect(dockerIgnore(rules)(path)).toBe(isOmitted);
});
