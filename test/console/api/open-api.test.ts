import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateSource } from 'oazapfts';
import { expect, it } from 'vitest';
import { openApi } from '../../../src/console/api/open-api.js';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { faultsOfDocument, testApi } from '../../support/api.js';
import { fuzz } from '../../support/api-fuzz.js';
import { deliveredApi } from '../../support/delivered-api.js';
import { tempFolder } from '../../support/temp-folder.js';
import { testWorkspace } from '../../support/workspace.js';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const STORY = new URL('../../support/client-story.txt', import.meta.url);

it('the document of the interface is valid OpenAPI 3.1, and a linter has nothing to say about it', async () => {
  expect(await faultsOfDocument()).toEqual([]);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(openApi(OPERATIONS)), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

it('a typed client that is generated from the document drives the whole story', async () => {
  const folder = tempFolder();
  symlinkSync(MODULES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApi(OPERATIONS)));
  writeFileSync(join(folder, 'client.ts'), await generateSource(join(folder, 'openapi.json'), {}));
  writeFileSync(join(folder, 'story.ts'), readFileSync(STORY, 'utf8'));
  const options = [
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const compiled = await run(join(MODULES, '.bin', 'tsc'), [...options, 'story.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
  const workspace = await testWorkspace({ sandbox: { learners: { unknownContaining: 'unknown' } } });
  const { client, url, failures } = await testApi(workspace);
  const { secret } = await client('operator');
  const env = { PATH: process.env.PATH, URL: url, TOKEN: secret };
  const told = await run(process.execPath, ['story.js'], { cwd: folder, env }).catch(
    (error: { stderr: string }) => error,
  );
  expect([told.stderr, failures]).toEqual(['', []]);
});

it('no request finds a bug, or an answer that the document doesn’t describe', async () => {
  const { operator, api } = await deliveredApi();
  const answered = await fuzz(operator, { seed: 7, requests: 200 });
  expect(OPERATIONS.filter(({ id }) => !answered.has(id))).toEqual([]);
  const done = [...answered].filter(([, statuses]) => statuses.has(200) || statuses.has(202));
  // Not only refusals were looked at.
  expect(done.length).toBeGreaterThan(4);
  expect(api.failures).toEqual([]);
});
