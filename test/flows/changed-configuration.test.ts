import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** Rewrites registrar.yaml as an operator would with an editor. */
function edit(workspace: TestWorkspace, from: string, to: string): void {
  const path = join(workspace.root, 'registrar.yaml');
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`registrar.yaml has no ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}

describe('a setting that feeds the keys', () => {
  it('stops its source with the number of rows, until it is confirmed once', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(3)));
    await workspace.run();

    edit(workspace, 'Europe/Berlin', 'Europe/London');
    workspace.drop('b.csv', csvOf(exportRows(4)));
    const stopped = await workspace.run();
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain('timeZone was "Europe/Berlin" and is "Europe/London"');
    expect(stopped.stderr).toContain('of 3 rows staged so far');
    expect(workspace.posts()).toBe(3);
    expect(workspace.files('inbox/academy')).toEqual(['b.csv']);
    // The run ended and reported why, so the next run need not report it.
    expect(workspace.query('select ending as end from run where run_id = 2')).toEqual([{ end: 'attention' }]);

    const confirmed = await workspace.run('--confirm', 'academy');
    expect(confirmed.code).toBe(0);
    expect(confirmed.report.dispositions).toMatchObject({ staged: 4 });
    expect(workspace.query('select kind from decision')).toEqual([{ kind: 'confirm' }]);

    workspace.drop('c.csv', csvOf(exportRows(5)));
    expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 1, duplicate: 4 });
  });
});

describe('a registrar.yaml that has lost entries', () => {
  it('reports rows that wait for an environment it no longer has', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(3)));
    await workspace.run('--no-push');
    edit(workspace, '"main"', '"other"');
    const run = await workspace.run('--confirm', 'academy');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('3 rows wait for environment main');
    const status = await workspace.cli('status', '--json');
    expect(documentOf<{ stranded: unknown }>(status).stranded).toEqual([{ environment: 'main', waiting: 3 }]);
  });

  it('delivers what waits for an environment that no source names any more', async () => {
    const workspace = await testWorkspace({
      environments: { main: {}, second: {} },
      sources: { academy: {}, college: { environment: 'second' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(3)), 'college');
    await workspace.run('--no-push');
    edit(workspace, '"environment": "second"', '"environment": "main"');
    const run = await workspace.run();
    expect(run.report.states).toMatchObject({ accepted: 3 });
  });

  it('reports claimed files whose source is gone', async () => {
    const workspace = await testWorkspace();
    await workspace.run();
    mkdirSync(join(workspace.root, 'processing', 'academy'), { recursive: true });
    const path = workspace.drop('a.csv', csvOf(exportRows(3)));
    renameSync(path, join(workspace.root, 'processing', 'academy', '0123abcd-a.csv'));
    edit(workspace, '"academy"', '"school"');
    const run = await workspace.run();
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/0123abcd-a\.csv belongs to no source in registrar\.yaml/);
  });
});

describe('what a dead run left behind', () => {
  it('appears in the report and the exit code of the next', async () => {
    const workspace = await testWorkspace({
      sandbox: { faults: { latencyMs: 5_000 } },
      environments: { main: { deadline: '20s', unknown: 'hold' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const dying = workspace.start('run', '--json');
    while (workspace.posts() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    dying.kill('SIGKILL');
    await dying.ended;
    const next = await workspace.run();
    expect(next.code).toBe(1);
    expect(next.report.states).toMatchObject({ 'in-doubt': 2 });
    expect(next.report.attempts).toMatchObject({ total: 2, noResponses: 2 });
    expect(workspace.query('select ending as end from run order by run_id')).toEqual([
      { end: 'died' },
      { end: 'attention' },
    ]);
  });
});

describe('a platform that answers nothing but 429', () => {
  it('ends the run with exit 4, the rows waiting', async () => {
    const workspace = await testWorkspace({
      sandbox: { faults: { rates: { throttle: 1 } } },
      environments: { main: { outage: '1s' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const run = await workspace.run();
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('every request with 429');
    expect(run.report.states).toMatchObject({ waiting: 2 });
  });
});

describe('a long time limit', () => {
  it('does not end the run at once', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(2)));
    expect((await workspace.run('--max-duration', '700h')).report.states).toMatchObject({ accepted: 2 });
  });
});

describe('a drop with the longest name', () => {
  it('is imported and reported', async () => {
    const workspace = await testWorkspace();
    const name = `${'漢'.repeat(83)}.csv`;
    const path = workspace.drop('a.csv', csvOf(exportRows(2)));
    renameSync(path, join(workspace.root, 'inbox', 'academy', name));
    const run = await workspace.run();
    expect(run.code).toBe(0);
    expect(run.report.files).toMatchObject([{ file: name, state: 'published' }]);
  });
});
