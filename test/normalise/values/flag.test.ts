import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readFlag } from '../../../src/normalise/values/text.js';

const CONTEXT = { column: 'Retired' };

test.each<[Cell, boolean]>([
  [true, true],
  [false, false],
  ['true', true],
  ['FALSE', false],
  [' Yes ', true],
  ['no', false],
  ['Y', true],
  ['n', false],
  [1, true],
  ['0', false],
])('%j is %j', (cell, value) => {
  expect(readFlag(cell, CONTEXT)).toEqual({ value });
});

test.each<[Cell]>([[null], [''], [' ']])('%j is an empty flag', (cell) => {
  expect(readFlag(cell, CONTEXT)).toEqual({ value: null });
});

test.each<[Cell]>([['perhaps'], [2], ['-1'], ['constructor']])(
  '%j is neither true nor false and is refused',
  (cell) => {
    expect(readFlag(cell, CONTEXT)).toMatchObject({ issue: { code: 'choice-invalid', column: 'Retired' } });
  },
);
