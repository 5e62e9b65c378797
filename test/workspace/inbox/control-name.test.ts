import { expect, test } from 'vitest';
import { controlNameOf, isControlName } from '../../../src/workspace/inbox/control-name.js';

test.each([
  ['{name}.done', 'march.csv', 'march.csv.done'],
  ['{stem}.ok', 'march.2024.csv', 'march.2024.ok'],
  ['ctl_{stem}.txt', 'march.csv', 'ctl_march.txt'],
  ['{stem}.ok', 'no extension', 'no extension.ok'],
])('%j for %j is %j, which is a control file whatever its case', (pattern, drop, name) => {
  expect(controlNameOf(pattern, drop)).toBe(name);
  expect(isControlName(pattern, name)).toBe(true);
  expect(isControlName(pattern, name.toUpperCase())).toBe(true);
});

test.each([
  ['{name}.done', 'march.csv'],
  ['{name}.done', '.done'],
  ['{name}.done', 'marchXdone'],
  ['ctl_{stem}.txt', 'march.txt'],
])('by %j the file %j is a drop', (pattern, name) => {
  expect(isControlName(pattern, name)).toBe(false);
});
