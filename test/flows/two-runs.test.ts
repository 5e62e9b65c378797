import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

const QUOTA = { requests: 70, perMs: 2_000 };

describe('two runs at once', () => {
  it('send each row once, never over the quota, and one of them leaves the pushing to the other', async () => {
    const workspace = await testWorkspace({ sandbox: { quota: QUOTA } });
    workspace.drop('a.csv', csvOf(exportRows(120)));
    workspace.drop('b.csv', csvOf(exportRows(80, 120)));
    const runs = [workspace.start('run', '--json'), workspace.start('run', '--json')];
    const results = await Promise.all(runs.map(({ ended }) => ended));

    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const kinds = results.map((result) => documentOf(result).pushes.main?.kind);
    expect(kinds.toSorted()).toEqual(['drained', 'elsewhere']);
    const waited = results.map(({ stderr }) => /Process \d+ is delivering to main/.test(stderr));
    expect(waited).toEqual(kinds.map((kind) => kind === 'elsewhere'));
    expect(workspace.posts()).toBe(200);
    expect(workspace.sandbox.platform.completions()).toHaveLength(200);
    expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
    expect(statsOf(workspace.sandbox.platform).mostInAnyWindow).toBeLessThanOrEqual(70);
    expect(await workspace.books()).toMatchObject({
      balanced: true,
      rows: 202,
      states: { accepted: 200, waiting: 0, sending: 0 },
    });
  });

  it('of two environments that share a client id stay within the one quota', async () => {
    const workspace = await testWorkspace({
      sandbox: { quota: QUOTA },
      environments: { east: {}, west: {} },
      sources: { academy: { environment: 'east' }, campus: { environment: 'west' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(100)), 'academy');
    workspace.drop('b.csv', csvOf(exportRows(100, 100)), 'campus');
    const runs = ['academy', 'campus'].map((source) => workspace.start('run', '--json', '--source', source));
    const results = await Promise.all(runs.map(({ ended }) => ended));

    expect(results.map((result) => [result.code, documentOf(result).states.accepted])).toEqual([
      [0, 100],
      [0, 100],
    ]);
    expect(workspace.posts()).toBe(200);
    expect(workspace.sandbox.platform.completions()).toHaveLength(200);
    expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
    expect(statsOf(workspace.sandbox.platform).mostInAnyWindow).toBeLessThanOrEqual(70);
  });
});
