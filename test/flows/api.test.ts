import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/console/api/operations.js';
import { documentOf, testWorkspace, until } from '../support/workspace.js';

const ROWS = `Email,Course ID,Completed on,Score
ada@example.com,C-1,2025-03-03T09:12:00Z,88
ben.unknown@example.com,C-1,2025-03-03T09:12:00Z,0
cy@example.com,C-1,2025-03-03T09:12:00Z,high
`;

it('the program answers each query and each plan from its threads, for the token that it issued', async () => {
  const workspace = await testWorkspace();
  workspace.drop('rows.csv', ROWS);
  await workspace.run();
  const made = documentOf<{ secret: string }>(
    await workspace.cli('token', 'add', 'lms', '--role', 'operator', '--json'),
  );
  const served = workspace.start('console', '--listen', '127.0.0.1:0', '--verbose');
  await until('the console is served', () => /http:\/\/127/.test(served.stderr()));
  const [url = ''] = /http:\/\/127[\d.:]+/.exec(served.stderr()) ?? [];
  const authorization = `Bearer ${made.secret}`;
  const post = (body: object) => ({
    method: 'POST',
    body: JSON.stringify({ ...body, dryRun: true }),
    headers: { authorization, 'content-type': 'application/json' },
  });
  // No decision has been made here.
  const readable = OPERATIONS.filter(({ method, path }) => method === 'get' && !path.includes('{decision}'));
  const readings = readable.map(
    ({ path }) =>
      [path.replace('{what}', 'rows.csv:3').replace('{run}', '1'), { headers: { authorization } }] as const,
  );
  const requests = [
    ...readings,
    ['/runs', post({})],
    ['/reruns', post({ selection: { all: true } })],
    ['/dismissals', post({ selection: { all: true } })],
    ['/mappings', post({ old: 'ben.unknown@example.com', new: 'ben@example.com' })],
    ['/corrections', post({ row: 'rows.csv:4', values: { Score: '5' } })],
    ['/restages', post({ drop: 1 })],
    ['/checks?source=academy', { method: 'POST', body: ROWS, headers: { authorization } }],
  ] as const;
  for (const [path, init] of requests) {
    const { status } = await fetch(`${url}/api/v1${path}`, init);
    expect([path, status]).toEqual([path, 200]);
  }
});
