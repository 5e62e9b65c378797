import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { killedAtMoments } from '../support/killed-copies.js';
import { statsOf } from '../support/sandbox-stats.js';
import { testWorkspace, until } from '../support/workspace.js';

describe('kill -9 while pushing', () => {
  it('loses no row: the next run sends what had no answer again, counts it, and the books balance', async () => {
    const workspace = await testWorkspace({ sandbox: { faults: { latencyMs: 100 } } });
    workspace.drop('a.csv', csvOf(exportRows(40)));
    const killed = workspace.start('run');
    await until('15 requests have arrived', () => workspace.posts() >= 15);
    killed.kill('SIGKILL');
    await killed.ended;

    const { code } = await workspace.run();
    expect(code).toBe(0);
    const books = await workspace.books();
    const { platform } = workspace.sandbox;
    expect(books).toMatchObject({ balanced: true, states: { accepted: 40, waiting: 0, sending: 0 } });
    expect(platform.completions()).toHaveLength(40);
    // The attempts that were under way when it died: written before the request, closed by the next owner.
    expect(books.attempts.noResponses).toBeGreaterThan(0);
    expect(books.attempts.noResponses).toBe(books.attempts.repeats);
    expect(books.attempts.repeats).toBeGreaterThanOrEqual(statsOf(platform).repeatedWrites);
    expect(books.attempts.total).toBeGreaterThanOrEqual(workspace.posts());
    expect(statsOf(platform).overQuota).toBe(0);
  });
});

describe('kill -9 while staging', () => {
  /** More than one transaction has, whose first is full after two to three thousand. */
  const rows = 3_100;

  it('resumes after the last staged line, or from the beginning of the claimed file where no row was staged', async () => {
    const first = await testWorkspace();
    first.drop('large.csv', csvOf(exportRows(rows)));
    const moments = ['drop-claimed:1', 'batch-committed:1'] as const;
    const copies = await killedAtMoments(first, moments, 'run', '--no-push');

    for (const moment of moments) {
      const workspace = await testWorkspace(copies.get(moment));
      const [left] = workspace.query<{ state: string; line: number; rows: number }>(
        `select state, staged_line as line, (select count(*) from row) as rows from drop_file`,
      );
      const { code, report } = await workspace.run('--no-push');
      expect([moment, code]).toEqual([moment, 0]);
      expect(await workspace.books(), moment).toMatchObject({
        balanced: true,
        rows: rows + 1,
        dispositions: { staged: rows, duplicate: 0, 'non-data': 1 },
        states: { waiting: rows },
      });
      expect(workspace.files('archive'), moment).toEqual(['academy/1-large.csv']);
      expect(workspace.files('processing'), moment).toEqual([]);
      if (moment === 'drop-claimed:1') {
        expect(left?.rows ?? 0).toBe(0);
        continue;
      }
      expect(left?.state).toBe('staging');
      expect(left?.line).toBeGreaterThan(1);
      expect(left?.line).toBeLessThan(rows);
      expect(left?.rows).toBe(left?.line);
      // Begun once, by the first run, and finished by the second, whose report has it.
      expect(workspace.query('select count(*) as arrivals from arrival')).toEqual([{ arrivals: 1 }]);
      expect(report.files).toMatchObject([{ file: 'large.csv', state: 'published', repeatedArrivals: 0 }]);
      expect(report.rows).toBe(rows + 1);
    }
  });
});
