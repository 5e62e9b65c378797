import { expect, it } from 'vitest';
import { cutLine, TERMINAL_WIDTH, wrapText } from '../../../src/report/text/wrap-text.js';

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
