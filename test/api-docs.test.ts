import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { addToken } from '../src/actions/access/tokens.js';
import { OPERATIONS } from '../src/console/api/operations.js';
import { testApi } from './support/api.js';
import { decider } from './support/decider.js';
import { cells, document, fencesOf, table } from './support/markdown.js';
import { testWorkspace, textOf } from './support/workspace.js';

const PAGE = document('docs/api.md');

it('the page of the HTTP interface lists every address', () => {
  const named = cells(table(PAGE, 'Addresses')).map(([address]) => address);
  expect(named).toEqual(OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
});

it('each example of docs/api.md is answered as the page shows', async () => {
  const workspace = await testWorkspace();
  workspace.drop(
    'first.csv',
    'Email,Course ID,Completed on\nben.unknown@example.com,C-1,2025-03-03T09:12:00Z\n',
  );
  await workspace.run();
  const { context, url } = await testApi(workspace);
  const { secret } = await addToken(context, { name: 'lms', role: 'operator' }, decider('ada'));
  const content = 'Email,Course ID,Completed on\nada@example.com,C-1,2025-03-03T09:12:00Z\n';
  writeFileSync(join(workspace.root, 'completions.csv'), content);
  const env = { PATH: process.env.PATH, TOKEN: secret, REGISTRAR_URL: url };
  const [status, push, rerun] = await Promise.all(
    fencesOf(PAGE, 'sh').map(async (script) => {
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: workspace.root, env });
      return JSON.parse(stdout) as Record<string, unknown>;
    }),
  );
  expect(status).toMatchObject({ environments: [{ environment: 'main' }] });
  expect(push).toMatchObject({ source: 'academy', name: 'completions.csv', bytes: content.length });
  expect(textOf(workspace, 'inbox/academy/completions.csv')).toBe(content);
  expect(rerun).toMatchObject({ dryRun: true, count: 1 });
});
