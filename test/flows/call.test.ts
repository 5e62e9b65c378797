import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, testWorkspace } from '../support/workspace.js';

const CALL = { unlikeReceived: 'calls by hand are about no row' };

it('a call by hand goes through token, quota and audit, and prints the answer', async () => {
  const workspace = await testWorkspace(CALL);
  const body = { data: { type: 'groups', attributes: { name: 'Fire wardens' } } };
  writeFileSync(join(workspace.root, 'group.json'), JSON.stringify(body));
  const result = await workspace.cli('call', 'post', '/api/v2/groups', '--body', 'group.json', '--json');
  expect(result.code).toBe(0);
  expect(documentOf<object>(result)).toMatchObject({
    environment: 'main',
    scope: 'content:write',
    outcome: 'accepted',
    status: 201,
    body: expect.stringContaining('Fire wardens'),
  });
  expect(workspace.query('select method, path, scope, length(body_sha256) as digits from call')).toEqual([
    { method: 'POST', path: '/api/v2/groups', scope: 'content:write', digits: 64 },
  ]);
  // Token and call.
  expect(workspace.query('select count(*) as permits from permit')).toEqual([{ permits: 2 }]);
  const books = await workspace.books();
  expect({ balanced: books.balanced, total: books.attempts.total }).toEqual({ balanced: true, total: 1 });
});

it.each([
  [['POST', '/api/v2/nothing'], 1, 'HTTP 404'],
  [['DELETE', '/api/v2/content/courses/C-1'], 1, 'HTTP 404'],
])('%j that is refused shows the answer and ends with %i', async (args, code, shown) => {
  const workspace = await testWorkspace(CALL);
  const result = await workspace.cli('call', ...args);
  expect({ code: result.code, first: result.stdout.split('\n')[0] }).toEqual({ code, first: shown });
});

it.each([
  [['FETCH', '/x'], 'METHOD "FETCH" is none of GET'],
  [['GET', 'https://elsewhere.example/x'], 'must begin with / and stand below baseUrl'],
  [
    ['POST', '/x', '--body', 'missing.json'],
    '--body "missing.json" can\'t be read: there is no such file. Check the path, which starts at the current folder.',
  ],
  [['POST', '/x', '--body', '.'], '--body "." can\'t be read: it is a folder. Name a file in it.'],
  [['GET', '/x', '--environment', 'other'], 'registrar.yaml has no environment "other"'],
])('%j is refused with a sentence, and nothing is sent', async (args, sentence) => {
  const workspace = await testWorkspace(CALL);
  const { code, stderr } = await workspace.cli('call', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(workspace.sandbox.platform.received).toEqual([]);
});

it('a call whose process died is closed by the next run, and the books balance', async () => {
  const workspace = await testWorkspace({ ...CALL, sandbox: { faults: { latencyMs: 20_000 } } });
  const running = workspace.start('call', 'GET', '/api/v2/groups');
  const endMs = performance.now() + 15_000;
  while (workspace.posts() === 0 && performance.now() < endMs)
    await new Promise((done) => setTimeout(done, 20));
  running.kill('SIGKILL');
  await running.ended;
  workspace.sandbox.platform.setFaults({});
  const { report } = await workspace.run();
  expect(report.balanced).toBe(true);
  expect(workspace.query('select count(*) as open from attempt_open')).toEqual([{ open: 0 }]);
});
