import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

describe('kill -9 while pushing', () => {
  it('loses no row: the next run sends what had no answer again, counts it, and the books balance', async () => {
    const workspace = await testWorkspace({ sandbox: { faults: { latencyMs: 100 } } });
    workspace.drop('a.csv', csvOf(exportRows(120)));
    const killed = workspace.start('run');
    await until('30 requests have arrived', () => workspace.posts() >= 30);
    killed.kill('SIGKILL');
    await killed.ended;

    const { code } = await workspace.run();
    expect(code).toBe(0);
    const books = await workspace.books();
    const { completions, stats } = workspace.sandbox.platform;
    expect(books).toMatchObject({ balanced: true, states: { accepted: 120, waiting: 0, sending: 0 } });
    expect(completions()).toHaveLength(120);
    // What was under way when it died: written before the request, closed by the next owner.
    expect(books.attempts.noResponses).toBeGreaterThan(0);
    expect(books.attempts.noResponses).toBe(books.attempts.repeats);
    expect(books.attempts.repeats).toBeGreaterThanOrEqual(stats().repeatedWrites);
    expect(books.attempts.total).toBeGreaterThanOrEqual(workspace.posts());
    expect(stats().overQuota).toBe(0);
  });
});

describe('kill -9 while staging', () => {
  const killedWhen = async (rows: number, what: string, isSo: (workspace: TestWorkspace) => boolean) => {
    const workspace = await testWorkspace();
    workspace.drop('large.csv', csvOf(exportRows(rows)));
    const killed = workspace.start('run', '--no-push');
    await until(what, () => isSo(workspace));
    killed.kill('SIGKILL');
    await killed.ended;
    const [left] = workspace.query<{ state: string; line: number; rows: number }>(
      `select state, staged_line as line, (select count(*) from row) as rows from drop_file`,
    );
    const { code, report } = await workspace.run('--no-push');
    expect(code).toBe(0);
    expect(await workspace.books()).toMatchObject({
      balanced: true,
      rows: rows + 1,
      dispositions: { staged: rows, duplicate: 0, 'non-data': 1 },
      states: { waiting: rows },
    });
    expect(workspace.files('archive')).toEqual(['academy/1-large.csv']);
    expect(workspace.files('processing')).toEqual([]);
    return { workspace, left, report };
  };

  it('goes on after the last line that was staged', async () => {
    const { workspace, left, report } = await killedWhen(
      60_000,
      'a batch is staged',
      ({ query }) => (query<{ line: number }>('select staged_line as line from drop_file')[0]?.line ?? 0) > 0,
    );
    expect(left?.state).toBe('staging');
    expect(left?.line).toBeLessThan(60_000);
    expect(left?.rows).toBe(left?.line);
    // Begun once, by the first run, and finished by the second, whose report has it.
    expect(workspace.query('select count(*) as arrivals from arrival')).toEqual([{ arrivals: 1 }]);
    expect(report.files).toMatchObject([{ file: 'large.csv', state: 'published', repeatedArrivals: 0 }]);
    expect(report.rows).toBe(60_001);
  });

  it('before the first row was staged takes the file from where it was put', async () => {
    const { left } = await killedWhen(
      20_000,
      'the file is claimed',
      ({ files }) => files('processing').length === 1,
    );
    expect(left?.rows ?? 0).toBe(0);
  });
});
