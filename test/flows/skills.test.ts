import { describe, expect, it } from 'vitest';
import { testWorkspace, textOf } from '../support/workspace.js';

const DELETING = { skills: { operation: 'delete-skills' } };

/** A drop of `count` rows over so many contents, a new skill each. */
function skillRows(count: number, contents: number): string {
  const lines = Array.from({ length: count }, (_, n) => `C-${n % contents},Skill ${n}`);
  return ['Content ID,Skill', ...lines].join('\n');
}

describe('deleting skills (specification §4.1)', () => {
  it('rows of one content share one request, and its answer settles each of them', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    workspace.drop('skills.csv', 'Content ID,Skill\nC 1/a,Go\nC-2,Python\nC 1/a,Ruby\n', 'skills');
    const { code, report } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 0, balanced: true });
    expect(report.states).toMatchObject({ accepted: 3 });
    expect(report.attempts).toMatchObject({ total: 2, accepted: 2 });
    const calls = workspace.sandbox.platform.received.filter(({ path }) => path.startsWith('/api/'));
    expect(calls.map(({ method, path, status }) => ({ method, path, status }))).toEqual([
      { method: 'DELETE', path: '/api/v2/content/C%201%2Fa/relationships/skills', status: 204 },
      { method: 'DELETE', path: '/api/v2/content/C-2/relationships/skills', status: 204 },
    ]);
  });

  it('a content id that would climb out of the path is an issue of its row', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    const ids = ['..', '.', '%2e%2e', '../../x', 'a\\..\\b', 'C-1'];
    workspace.drop('skills.csv', ['Content ID,Skill', ...ids.map((id) => `${id},Go`)].join('\n'), 'skills');
    const { code, report } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 1, balanced: true });
    expect(report.dispositions).toMatchObject({ staged: 1, invalid: 5 });
    expect(report.causes).toMatchObject([{ code: 'identifier-invalid', count: 5 }]);
    const calls = workspace.sandbox.platform.received.filter(({ path }) => path.startsWith('/api/'));
    expect(calls.map(({ path }) => path)).toEqual(['/api/v2/content/C-1/relationships/skills']);
  });

  it('a hundred rows of ten contents are sent in ten requests, and one content is refused', async () => {
    const workspace = await testWorkspace({
      sandbox: { contents: { unknown: ['C-7'] } },
      environments: { main: { canary: { rows: 0 } } },
      sources: DELETING,
    });
    workspace.drop('skills.csv', skillRows(100, 10), 'skills');
    const { code, report } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 1, balanced: true });
    expect(report.states).toMatchObject({ accepted: 90, rejected: 10 });
    expect(report.attempts).toMatchObject({ total: 10, accepted: 9, rejected: 1 });
  });

  it('a refusal that names a skill counts for its row alone', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    workspace.drop('skills.csv', 'Content ID,Skill\nC-1,Go\nC-1,unknown art\nC-1,Ruby\n', 'skills');
    const { report } = await workspace.run();
    expect(report.states).toMatchObject({ accepted: 2, rejected: 1 });
    expect(report.attempts).toMatchObject({ total: 2, accepted: 1, rejected: 1 });
    expect(report.causes).toMatchObject([{ code: 'bad-request', example: 'skills.csv:3' }]);
  });

  it('a refusal that names no skill resends each row alone, so that no row is refused because of another', async () => {
    const workspace = await testWorkspace({
      sandbox: { faults: { schedule: [{ kind: 'refusal' }] } },
      sources: DELETING,
    });
    workspace.drop('skills.csv', skillRows(4, 1), 'skills');
    const { code, report } = await workspace.run();
    expect({ code, states: report.states }).toMatchObject({ code: 0, states: { accepted: 4 } });
    expect(report.attempts).toMatchObject({ total: 5, accepted: 4, rejected: 1 });
  });

  it('a cell may list several skills: the row counts once, each skill is delivered', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    workspace.drop(
      'skills.csv',
      'Content ID,Skills\nC-1,"Go; Ruby;Go\nC"\nC-1,Ruby; C\nC-1,Rust;Go\n',
      'skills',
    );
    const { code, report } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 0, balanced: true });
    expect(report.rows).toBe(4);
    expect(report.dispositions).toMatchObject({ staged: 2, duplicate: 1, 'non-data': 1 });
    expect(report.states).toMatchObject({ accepted: 4 });
    expect(workspace.posts()).toBe(1);
    expect(workspace.query('select line, part from row_part')).toEqual([
      { line: 4, part: 0 },
      { line: 5, part: 0 },
    ]);
    // Each row names the first submission that it became, or, where all are repeated, the first that it repeats.
    expect(workspace.query('select line, disposition, submission_id as first from row')).toEqual([
      { line: 1, disposition: 'non-data', first: null },
      { line: 2, disposition: 'staged', first: 1 },
      { line: 4, disposition: 'duplicate', first: 2 },
      { line: 5, disposition: 'staged', first: 4 },
    ]);
  });

  it('the same rows again are duplicates and send nothing', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    workspace.drop('a.csv', 'Content ID,Skill\nC-1,Go\n', 'skills');
    await workspace.run();
    workspace.drop('b.csv', 'Content ID,Skill\nC-1,Go\n\n', 'skills');
    const { report } = await workspace.run();
    expect(report.dispositions).toMatchObject({ duplicate: 1, staged: 0 });
    expect(workspace.posts()).toBe(1);
  });

  it('a refused row is rerun once the content is there', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    workspace.drop('a.csv', 'Content ID,Skill\nunknown-1,Go\n', 'skills');
    expect((await workspace.run()).report.states).toMatchObject({ rejected: 1 });
    const { code, stdout } = await workspace.cli('rerun', '--content', 'unknown-1', '--dry-run');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('a.csv:2') });
  });

  it('check shows the request as it would be sent', async () => {
    const workspace = await testWorkspace({ sources: DELETING });
    const file = workspace.drop('a.csv', 'Content ID,Skill\nC-1,Go\nC-1,Ruby\n', 'skills');
    const { code, stdout } = await workspace.cli('check', file, '--source', 'skills', '--json');
    const request = {
      method: 'DELETE',
      path: '/api/v2/content/C-1/relationships/skills',
      body: {
        data: [
          { id: 'Go', type: 'skills' },
          { id: 'Ruby', type: 'skills' },
        ],
      },
    };
    expect(code).toBe(0);
    expect(JSON.parse(stdout).records).toMatchObject([
      { line: 2, request },
      { line: 3, request },
    ]);
    expect(textOf(workspace, 'inbox/skills/a.csv')).toContain('Ruby');
  });
});

describe('adding skills', () => {
  it('and deleting them keep their order, and what was added again is deleted again', async () => {
    const workspace = await testWorkspace({
      sources: { skills: { operation: 'delete-skills' }, added: { operation: 'add-skills' } },
    });
    const { platform } = workspace.sandbox;
    const rows = 'Content ID,Skill\nC-1,Go\nC-1,Ruby\n';
    workspace.drop('a.csv', rows, 'added');
    await workspace.run();
    expect(platform.skillsOf('C-1')).toEqual(['Go', 'Ruby']);
    workspace.drop('b.csv', rows, 'skills');
    await workspace.run();
    expect(platform.skillsOf('C-1')).toEqual([]);
    workspace.drop('c.csv', `${rows}\n`, 'added');
    await workspace.run();
    expect(platform.skillsOf('C-1')).toEqual(['Go', 'Ruby']);
    workspace.drop('d.csv', `${rows}\n\n`, 'skills');
    const { report } = await workspace.run();
    expect(report.balanced).toBe(true);
    expect(platform.skillsOf('C-1')).toEqual([]);
    expect(workspace.posts()).toBe(4);
  });

  it('whose deletion was not sent yet drops the deletion', async () => {
    const workspace = await testWorkspace({
      sources: { skills: { operation: 'delete-skills' }, added: { operation: 'add-skills' } },
    });
    workspace.drop('a.csv', 'Content ID,Skill\nC-1,Go\n', 'skills');
    await workspace.run('--no-push');
    workspace.drop('b.csv', 'Content ID,Skill\nC-1,Go\n', 'added');
    const { report } = await workspace.run();
    expect(report.balanced).toBe(true);
    expect(workspace.states()).toEqual({ accepted: 1, replaced: 1 });
    expect(workspace.sandbox.platform.received.at(-1)?.method).toBe('PATCH');
  });
});
