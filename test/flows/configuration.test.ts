import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { tempFolder } from '../support/temp-folder.js';

it('every mistake in registrar.yaml is reported at once with its place and remedy, without any secret', async () => {
  const root = tempFolder();
  writeFileSync(
    join(root, 'registrar.yaml'),
    [
      'environments:',
      '  main:',
      '    baseUrl: https://platform.example',
      '    authUrl: https://login.platform.example',
      '    clientId: ${NOWHERE_SET}',
      '    clientSecret: hunter2-in-the-open',
      'sources:',
      '  - name: academy',
      '    operation: submit-completion',
      '    environment: main',
      '    timeZome: Europe/Berlin',
      '  - name: campus',
      '    operation: submit-completion',
      '    environment: main',
      '    timeZone: Europe/Berln',
    ].join('\n'),
  );
  const { code, stdout, stderr } = await commandLine(['run', '--json', '--verbose'], { cwd: root });
  expect(code).toBe(2);
  expect(stderr).toMatch(/registrar\.yaml:5: .*NOWHERE_SET/);
  expect(stderr).toMatch(/registrar\.yaml:6: environments\.main\.clientSecret /);
  expect(stderr).toMatch(/registrar\.yaml:11: .*timeZome.*timeZone/);
  expect(stderr).toMatch(
    /registrar\.yaml:15: sources\[1\]\.timeZone "Europe\/Berln" .*did you mean Europe\/Berlin\?/,
  );
  expect(stdout + stderr).not.toContain('hunter2');
  expect(JSON.parse(stdout).error).toMatchObject({ exit: 'usage' });
});

it('outside a workspace a command says how to make or name one', async () => {
  const { code, stderr } = await commandLine(['run'], { cwd: tempFolder() });
  expect(code).toBe(2);
  expect(stderr).toMatch(/isn't a workspace.*registrar init.*--workspace/s);
});
