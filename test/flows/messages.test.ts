import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { csvOf, exportRow } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

it('an unknown command or option is reported by the name registrar, not "error"', async () => {
  const workspace = await testWorkspace();
  for (const args of [['rnu'], ['run', '--sorce', 'x'], ['trace']]) {
    const { code, stderr } = await workspace.cli(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^registrar: [a-z]/) });
  }
});

it('a rerun of a run before the first says that there was none, and not "The latest is run none yet"', async () => {
  const workspace = await testWorkspace();
  const { stderr } = await workspace.cli('rerun', '--run', '4');
  expect(stderr).toBe('registrar: there is no run 4. There was none yet.\n');
});

it('restage ends what is wrong with a full stop before it says what to do', async () => {
  const workspace = await testWorkspace({ sources: { academy: { timeZone: 'Europe/Berlin' } } });
  workspace.drop('a.csv', csvOf([exportRow(1), exportRow(2, { status: 'Maybe' })]));
  await workspace.cli('run');
  const { stdout } = await workspace.cli('restage', '1');
  expect(stdout).toContain('1 invalid row: 0 wait now, 0 repeat what is known, 1 is still invalid.');
  expect(stdout).toMatch(/status-unknown +.*[^.]\. [A-Z]/);
});

it('trace names a reason alone without a comma after it: "(out-of-order)"', async () => {
  const workspace = await testWorkspace({ sandbox: { learners: { unknown: ['old@example.org'] } } });
  const rows = [
    exportRow(1, { email: 'new@example.org', at: '2024-03-02 10:00:00' }),
    exportRow(1, { email: 'old@example.org', at: '2024-03-01 10:00:00' }),
  ];
  workspace.drop('a.csv', csvOf(rows));
  await workspace.cli('run');
  await workspace.cli('map', 'old@example.org', 'new@example.org', '--because', 'she married');
  const { stdout } = await workspace.cli('trace', '#3');
  expect(stdout).toContain('waiting > held (out-of-order)');
  expect(stdout).not.toContain(', )');
});

it('what to do now is a sentence of its own: every hint begins with a capital', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const hints = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(/\bhint:\s*(['"`])(.*)/g)].map(
        ([, , text]) => `${file}: ${text}`,
      ),
    );
  expect(hints.length).toBeGreaterThan(20);
  expect(hints.filter((hint) => /: [a-z]/.test(hint.slice(0, hint.indexOf(': ') + 3)))).toEqual([]);
});
