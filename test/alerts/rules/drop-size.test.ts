import { expect, it } from 'vitest';
import { oddSize } from '../../../src/alerts/rules/drop-size.js';

it.each<[string, number[], number, string | null]>([
  ['a third of the usual', [10, 30, 30, 30], 3, 'drop-small 10 of 30'],
  ['a bit more than a third', [11, 30, 30, 30], 3, null],
  ['three times the usual', [90, 30, 30, 30], 3, 'drop-large 90 of 30'],
  ['a bit less than that', [89, 30, 30, 30], 3, null],
  ['nothing at all', [0, 30, 30, 30], 3, 'drop-small 0 of 30'],
  ['nothing, as ever', [0, 0, 0, 0], 3, null],
  ['something, where there was nothing', [5, 0, 0, 0], 3, 'drop-large 5 of 0'],
  ['one odd drop before doesn’t count', [30, 3, 30, 31, 900], 3, null],
  ['the mean of the two in the middle', [10, 20, 40, 1, 99], 3, 'drop-small 10 of 30'],
  ['too few before', [1, 30, 30], 3, null],
  ['no drop', [], 3, null],
  ['sizes aren’t compared', [1, 30, 30, 30], 0, null],
])('%s', (_, sizes, times, found) => {
  const odd = oddSize(sizes, times);
  expect(odd && `${odd.kind} ${odd.rows} of ${odd.usual}`).toBe(found);
});
