import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testWorkspace } from '../support/workspace.js';

/** More than a megabyte in rows of 500 bytes, for two transactions, which a thread of its own reads; its first rows are invalid. */
function largeFile(rows: number, invalid: number): string {
  const academy = 'academy '.repeat(53);
  const lines = Array.from({ length: rows }, (_, n) => {
    const at = n < invalid ? 'soon' : `2026-01-10 09:00:${String(n % 60).padStart(2, '0')}`;
    return `learner-${n}@northwind.example,C-${n % 50},The course number ${n % 50} of the ${academy},${at},${n % 101}`;
  });
  return `Email,Course ID,Course Name,Completed on,Score\n${lines.join('\n')}\n`;
}

it('a large file is staged by two threads, read ahead where its first rows are invalid, and leaves no file behind', async () => {
  const workspace = await testWorkspace({ sources: { academy: { timeZone: 'UTC' } } });
  const [rows, invalid] = [2_100, 200];
  const file = largeFile(rows, invalid);
  expect(file.length - 4 * rows).toBeGreaterThan(1_000_000);
  workspace.drop('large.csv', file);
  workspace.drop('again.csv', file.replaceAll('The course', 'Course'));
  await workspace.start('run', '--no-push').ended;
  const { balanced, dispositions } = await workspace.books();
  expect(balanced).toBe(true);
  expect(dispositions).toMatchObject({
    staged: rows - invalid,
    duplicate: rows - invalid,
    invalid: 2 * invalid,
  });
  expect(readdirSync(workspace.root).filter((name) => name.includes('reading'))).toEqual([]);
});
