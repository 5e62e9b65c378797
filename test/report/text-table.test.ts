import { expect, it } from 'vitest';
import { textTable } from '../../src/report/text-table.js';

it('columns are as wide as their widest cell, numbers stand to the right, no line ends in blanks', () => {
  expect(
    textTable(
      ['COUNT', 'FILE', 'WHY'],
      [
        [7, 'january.csv', 'a long reason'],
        [1200, 'b.csv', ''],
      ],
    ),
  ).toBe(['COUNT  FILE         WHY', '    7  january.csv  a long reason', ' 1200  b.csv'].join('\n'));
});

it('without rows there is the header', () => {
  expect(textTable(['A', 'B'], [])).toBe('A  B');
});
