import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FAILPOINTS } from '../../support/failpoints.js';
import { isStopped } from '../../support/is-stopped.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/workspace.js';

const MODULE = new URL('../../../dist/src/domain/process/failpoint.js', import.meta.url).href;

/** Passes one moment once and another three times, counting on stdout. */
const PROGRAM = `
  const { failpoint } = await import('${MODULE}');
  for (const name of ['run-begun', 'permit-taken', 'permit-taken', 'permit-taken']) {
    failpoint(name);
    process.stdout.write('+');
  }
`;

function pass(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let passed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    passed += text;
  });
  const ended = new Promise<{ by: NodeJS.Signals | number | null; passed: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ by: signal ?? code, passed }));
  });
  return { child, ended };
}

it.each([
  { armed: 'run-begun:1', by: 'SIGKILL', passed: '' },
  { armed: 'permit-taken', by: 'SIGKILL', passed: '+' },
  { armed: 'permit-taken:3', by: 'SIGKILL', passed: '+++' },
  { armed: 'permit-taken:4', by: 0, passed: '++++' },
])('armed with $armed the process ends by $by', async ({ armed, by, passed }) => {
  expect(await pass({ REGISTRAR_FAILPOINT: armed }).ended).toEqual({ by, passed });
});

it('a process stopped at a failpoint resumes there', async () => {
  const { child, ended } = pass({ REGISTRAR_FAILPOINT: 'permit-taken:2:stop' });
  await until('it is stopped', () => isStopped(child.pid ?? 0));
  child.kill('SIGCONT');
  expect(await ended).toEqual({ by: 0, passed: '++++' });
});

it('a trace names the failpoints that were passed, in order', async () => {
  const path = join(tempFolder(), 'trace');
  await pass({ REGISTRAR_FAILPOINT_TRACE: path }).ended;
  expect(readFileSync(path, 'utf8')).toBe('run-begun\npermit-taken\npermit-taken\npermit-taken\n');
});

it('each failpoint has a name of its own', () => {
  expect(new Set(FAILPOINTS).size).toBe(FAILPOINTS.length);
});
