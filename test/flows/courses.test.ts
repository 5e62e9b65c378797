import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALTERED } from '../support/altered-texts.js';
import { statsOf } from '../support/sandbox-stats.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const SOURCES = {
  created: { operation: 'create-course' },
  updated: { operation: 'update-course' },
  deleted: { operation: 'delete-course' },
  groups: { operation: 'create-group' },
};
const CREATED = 'Course ID,Title,Description\nC-1,Fire safety,Read **this** first\n';

/** Method, path and status of each call, in order. */
function calls(workspace: Awaited<ReturnType<typeof testWorkspace>>) {
  return workspace.sandbox.platform.received
    .filter(({ path }) => path.startsWith('/api/'))
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
}

describe('courses (specification §2.3, §4.4)', () => {
  it('are created, updated and deleted in the order in which they arrived', async () => {
    const workspace = await testWorkspace({ sources: SOURCES });
    workspace.drop('a.csv', CREATED, 'created');
    await workspace.run('--no-push');
    workspace.drop('b.csv', 'Course ID,Title,Obsolete\nC-1,Fire,\nC-1,,yes\n', 'updated');
    await workspace.run('--no-push');
    workspace.drop('c.csv', 'Course ID\nC-1\n', 'deleted');
    const { code, report } = await workspace.run();
    expect({ code, balanced: report.balanced, states: workspace.states() }).toEqual({
      code: 0,
      balanced: true,
      states: { accepted: 4 },
    });
    expect(calls(workspace)).toEqual([
      'POST /api/v2/content/courses 201',
      'PATCH /api/v2/content/courses/C-1 200',
      'PATCH /api/v2/content/courses/C-1 200',
      'DELETE /api/v2/content/courses/C-1 204',
    ]);
    expect(workspace.sandbox.platform.courses()).toMatchObject([
      {
        attributes: { 'external-id': 'C-1', title: 'Fire', summary: 'Read **this** first', obsolete: true },
        isDeleted: true,
      },
    ]);
  });

  it('a row that changes nothing is invalid', async () => {
    const workspace = await testWorkspace({ sources: SOURCES });
    workspace.drop('b.csv', 'Course ID,Title,Obsolete\nC-1,,\n', 'updated');
    const { report } = await workspace.run();
    expect(report.causes).toMatchObject([{ code: 'value-missing', example: 'b.csv:2' }]);
  });

  it('exists: reject, accept or revive decides what happens to a deleted course that is created again', async () => {
    const EXISTS = ['reject', 'accept', 'revive'];
    const workspace = await testWorkspace({
      environments: Object.fromEntries(EXISTS.map((exists) => [exists, { exists }])),
      sources: Object.fromEntries(
        EXISTS.flatMap((environment) => [
          [`${environment}-created`, { environment, operation: 'create-course' }],
          [`${environment}-deleted`, { environment, operation: 'delete-course' }],
        ]),
      ),
      skipReceivedCheck: 'what existed is not written again',
    });
    /** Each environment has a course of its name. */
    const runWith = (file: string, content: string, kind: 'created' | 'deleted') => {
      for (const exists of EXISTS) workspace.drop(file, content.replace('C-1', exists), `${exists}-${kind}`);
      return workspace.run();
    };
    await runWith('a.csv', CREATED, 'created');
    await runWith('b.csv', 'Course ID\nC-1\n', 'deleted');
    const before = workspace.sandbox.platform.received.length;
    const { report } = await runWith('c.csv', `${CREATED}\n`, 'created');
    expect(report.states).toMatchObject({ rejected: 1, accepted: 2 });
    const calls = workspace.sandbox.platform.received
      .slice(before)
      .filter(({ path }) => path.startsWith('/api/'))
      .map(({ method, path, status, attributes }) => ({
        course: (attributes as Readonly<Record<string, string>>)['external-id'] ?? path.split('/').at(-1),
        call: `${method} ${status}`,
      }));
    const courses = workspace.sandbox.platform.courses();
    const latest = workspace.query<{ name: string; code: string | null; how: string | null }>(
      'select name, platform_code as code, accepted_as as how from submission join environment using (environment_id) order by submission_id desc limit 3',
    );
    const met = EXISTS.map((exists) => ({
      exists,
      calls: calls.filter(({ course }) => course === exists).map(({ call }) => call),
      isDeleted: courses.find(({ attributes }) => attributes['external-id'] === exists)?.isDeleted,
      last: latest.find(({ name }) => name === exists),
    }));
    expect(met).toMatchObject([
      { calls: ['POST 409'], isDeleted: true, last: { code: 'conflict', how: null } },
      { calls: ['POST 409'], isDeleted: true, last: { code: null, how: 'existed' } },
      { calls: ['POST 409', 'PATCH 200'], isDeleted: false, last: { code: null, how: 'revived' } },
    ]);
  });

  it('paths and names of attributes come from the environment', async () => {
    const courses = { path: '/api/v3/things', attributes: { description: 'about' } };
    const workspace = await testWorkspace({ sources: SOURCES, environments: { main: { courses } } });
    const file = workspace.drop('a.csv', CREATED, 'created');
    const inspected = await workspace.cli('inspect', file, '--source', 'created');
    expect(inspected.stdout).toContain(
      'create-course: The specification shows neither path nor payload of this call',
    );
    const { stdout } = await workspace.cli('check', file, '--source', 'created', '--json');
    expect(JSON.parse(stdout).records).toMatchObject([
      {
        request: {
          method: 'POST',
          path: '/api/v3/things',
          body: {
            data: {
              type: 'content/courses',
              attributes: { 'external-id': 'C-1', title: 'Fire safety', about: 'Read **this** first' },
            },
          },
        },
      },
    ]);
  });
});

describe('texts that the platform returns altered (specification §2.5)', () => {
  it.each([
    ['entities', "It's Größe\n", 'entity'],
    ['letters', "It's Größe\n", 'letters'],
    ['nothing', "It's Größe\n", null],
  ] as const)('alters %s: %j is kept with both versions as %s', async (alters, name, kind) => {
    const workspace = await testWorkspace({
      sources: SOURCES,
      sandbox: { altered: ALTERED[alters] },
    });
    workspace.drop('g.csv', `Group,Description\n${name.trim()},Plain\n`, 'groups');
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    const shown = { file: 'g.csv', line: 2, field: 'name', kind, sent: "It's Größe" };
    expect(report.altered.shown).toMatchObject(kind === null ? [] : [shown]);
    const page = textOf(workspace, join('reports', basename(report.reportFolder ?? ''), 'report.html'));
    expect(page.includes('Altered by the platform')).toBe(kind !== null);
    const kept = workspace.query<{ kind: string; sent: string }>('select field, kind, sent from alteration');
    expect(kept).toEqual(kind === null ? [] : [{ field: 'name', kind, sent: "It's Größe" }]);
  });
});

describe('a scope that the client id lacks (specification §5.3)', () => {
  const rows = 'Email,Course ID,Completed on\nann@example.org,C-1,2024-01-05T09:30:00Z\n';
  const sources = { academy: {}, ...SOURCES };

  it('stops only the operations that need it, and names it', async () => {
    const client = {
      clientId: 'sandbox-client',
      clientSecret: 'sandbox-secret',
      scopes: ['completions:write'],
    };
    const workspace = await testWorkspace({ sources, sandbox: { clients: [client] } });
    workspace.drop('a.csv', CREATED, 'created');
    workspace.drop('b.csv', rows);
    const { code, report } = await workspace.run();
    expect(code).toBe(4);
    expect(workspace.states()).toEqual({ accepted: 1, waiting: 1 });
    expect(report.pushes.main).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('create-course needs the scope content:write'),
    });
  });

  it('a 403 to one operation lets the others go on', async () => {
    const workspace = await testWorkspace({
      sources,
      sandbox: { faults: { schedule: [{ kind: 'forbidden', match: 'courses', times: 5 }] } },
    });
    workspace.drop('a.csv', CREATED, 'created');
    workspace.drop('b.csv', rows);
    const { code } = await workspace.run();
    expect(code).toBe(4);
    expect(workspace.states()).toEqual({ accepted: 1, waiting: 1 });
  });
});

it('all operations of a workspace share the quota of their client id: no 429', async () => {
  const workspace = await testWorkspace({
    sources: { academy: {}, ...SOURCES, skills: { operation: 'delete-skills' } },
    sandbox: { quota: { requests: 10, perMs: 1_000 } },
  });
  const lines = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n');
  workspace.drop('a.csv', `Course ID,Title\n${lines(8, (n) => `C-${n},Course ${n}`)}\n`, 'created');
  workspace.drop('g.csv', `Group,Description\n${lines(6, (n) => `Group ${n},x`)}\n`, 'groups');
  workspace.drop('s.csv', `Content ID,Skill\n${lines(30, (n) => `C-${n % 6},Skill ${n}`)}\n`, 'skills');
  workspace.drop(
    'c.csv',
    `Email,Course ID,Completed on\n${lines(10, (n) => `p${n}@example.org,C-1,2024-01-05T09:30:00Z`)}\n`,
  );
  const { code, report } = await workspace.run();
  expect({ code, balanced: report.balanced }).toEqual({ code: 0, balanced: true });
  expect(report.states).toMatchObject({ accepted: 54 });
  expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0 });
  expect(report.attempts).toMatchObject({ total: 30, accepted: 30 });
});
