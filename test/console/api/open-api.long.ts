import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { expect, it } from 'vitest';
import { openApi } from '../../../src/console/api/open-api.js';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { testApi } from '../../support/api.js';
import { tempFolder } from '../../support/temp-folder.js';
import { testWorkspace } from '../../support/workspace.js';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const STORY = new URL('../../support/client-story.txt', import.meta.url);

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
  const result = await run(process.execPath, ['story.js'], { cwd: folder, env }).catch(
    (error: { stderr: string }) => error,
  );
  expect([result.stderr, failures]).toEqual(['', []]);
});
