import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const QUOTA = { requests: 12, perMs: 2_000 };

/** Two runs, one of them a process of its own: the other begins within this process as soon as the first has begun. */
async function atOnce(workspace: TestWorkspace, args: readonly string[], others = args) {
  const own = workspace.start('run', '--json', ...args);
  // Each look opens the ledger.
  await expect.poll(() => workspace.query('select 1 from run'), { interval: 100 }).toHaveLength(1);
  return Promise.all([own.ended, workspace.cli('run', '--json', ...others)]);
}

describe('two runs at once', () => {
  it('send each row once, never over the quota, and only one of them delivers', async () => {
    const workspace = await testWorkspace({ sandbox: { quota: QUOTA } });
    workspace.drop('a.csv', csvOf(exportRows(21)));
    workspace.drop('b.csv', csvOf(exportRows(14, 21)));
    const results = await atOnce(workspace, []);

    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const kinds = results.map((result) => documentOf(result).pushes.main?.kind);
    expect(kinds.toSorted()).toEqual(['drained', 'elsewhere']);
    const waited = results.map(({ stderr }) => /Process \d+ is delivering to main/.test(stderr));
    expect(waited).toEqual(kinds.map((kind) => kind === 'elsewhere'));
    expect(workspace.posts()).toBe(35);
    expect(workspace.sandbox.platform.completions()).toHaveLength(35);
    expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
    expect(statsOf(workspace.sandbox.platform).mostInAnyWindow).toBeLessThanOrEqual(QUOTA.requests);
    expect(await workspace.books()).toMatchObject({
      balanced: true,
      rows: 37,
      states: { accepted: 35, waiting: 0, sending: 0 },
    });
  });

  it('of two environments that share a client id stay within the one quota', async () => {
    const workspace = await testWorkspace({
      sandbox: { quota: QUOTA },
      environments: { east: {}, west: {} },
      sources: { academy: { environment: 'east' }, campus: { environment: 'west' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(18)), 'academy');
    workspace.drop('b.csv', csvOf(exportRows(17, 18)), 'campus');
    const results = await atOnce(workspace, ['--source', 'academy'], ['--source', 'campus']);

    expect(results.map((result) => [result.code, documentOf(result).states.accepted])).toEqual([
      [0, 18],
      [0, 17],
    ]);
    expect(workspace.posts()).toBe(35);
    expect(workspace.sandbox.platform.completions()).toHaveLength(35);
    expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
    expect(statsOf(workspace.sandbox.platform).mostInAnyWindow).toBeLessThanOrEqual(QUOTA.requests);
  });
});
