import { expect, it } from 'vitest';
import { textTable } from '../../../src/report/text/text-table.js';

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

const NOTE = 'set aside: none of the first 30 lines is a header with columns for user-id and content-id';

it('at 80 columns a table breaks between words and never in one, and each line fits', () => {
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

it('a table whose words do not fit beside each other becomes lines, with each address and path whole', () => {
  const row = [
    'anna-katharina.von.hohenstein@campus.example.org',
    'Email',
    3,
    'academy-completions-october-2026.csv:1204',
    'anna.katharina.hohenstein@campus.example.org (one letter)',
  ];
  const table = textTable(['UNKNOWN', 'TYPE', 'ROWS', 'FOR EXAMPLE', 'KNOWN AND NEAR'], [row], 80);
  expect(table.split('\n')).toEqual([
    'anna-katharina.von.hohenstein@campus.example.org',
    '  type Email, rows 3, for example academy-completions-october-2026.csv:1204',
    '  known and near anna.katharina.hohenstein@campus.example.org (one letter)',
  ]);
});

it('where nobody wraps, as in a file or a mail from cron, lines stay whole', () => {
  expect(textTable(['FILE', 'NOTE'], [['a.csv', NOTE]])).toBe(`FILE   NOTE\na.csv  ${NOTE}`);
});
