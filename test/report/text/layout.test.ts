import { expect, it } from 'vitest';
import { textTable } from '../../../src/report/text/layout.js';

it('columns are as wide as their widest cell, numbers are right-aligned, no line ends in blanks', () => {
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

it('a table without rows shows its header', () => {
  expect(textTable(['A', 'B'], [])).toBe('A  B');
});

const NOTE = 'set aside: none of the first 30 lines is a header with columns for user-id and content-id';

it('a table of 80 columns wraps between words, and each line fits', () => {
  const table = textTable(
    ['FILE', 'ROWS', 'NOTE'],
    [
      ['academy-october.csv', 1541, ''],
      ['broken.csv', 0, NOTE],
    ],
    80,
  );
  const lines = table.split('\n');
  for (const line of lines) expect([line, line.length <= 80]).toEqual([line, true]);
  const note = lines.slice(2).map((line) => line.slice(27).trim());
  expect(note.join(' ')).toBe(NOTE);
  expect(lines[2]).toMatch(/^broken\.csv {14}0 {2}set aside: none /);
});

it('a table whose words do not fit beside each other is wider, with each address and path whole', () => {
  const row = [
    'anna-katharina.von.hohenstein@campus.example.org',
    'academy-completions-october-2026.csv:1204',
  ];
  expect(textTable(['UNKNOWN', 'FOR EXAMPLE'], [row], 80).split('\n')[1]).toBe(row.join('  '));
});

it('output to a file or a mail from cron isn’t wrapped', () => {
  expect(textTable(['FILE', 'NOTE'], [['a.csv', NOTE]])).toBe(`FILE   NOTE\na.csv  ${NOTE}`);
});
