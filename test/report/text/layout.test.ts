import { expect, it } from 'vitest';
import { cutLine, TERMINAL_WIDTH, textTable, wrapText } from '../../../src/report/text/layout.js';

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

it('output to a file or a mail from cron isn’t wrapped', () => {
  expect(textTable(['FILE', 'NOTE'], [['a.csv', NOTE]])).toBe(`FILE   NOTE\na.csv  ${NOTE}`);
});

it('a long line is broken between words, and what follows is indented', () => {
  const lines = wrapText(`  ${'word '.repeat(40).trim()}`, '    ').split('\n');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map((line) => /^ */.exec(line)?.[0].length)).toEqual([2, ...lines.slice(1).map(() => 4)]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(TERMINAL_WIDTH);
  expect(lines.map((line) => line.trim()).join(' ')).toBe('word '.repeat(40).trim());
});

it('a word that is too long stays whole, for it may be there to be copied', () => {
  expect(wrapText(`at ${'x'.repeat(100)} end`)).toBe(`at\n  ${'x'.repeat(100)}\n  end`);
});

it('lines that are too many end in an ellipsis', () => {
  expect(wrapText('word '.repeat(40).trim(), '', 1)).toMatch(/ …$|…$/);
  expect(wrapText('short', '', 1)).toBe('short');
  expect(cutLine('y'.repeat(81))).toBe(`${'y'.repeat(79)}…`);
});
