import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programEnv } from '../support/command-line.js';
import { contextFiles, dockerIgnore } from '../support/docker-ignore.js';
import { csvOf, exportRows } from '../support/exports.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { document, section } from '../support/markdown.js';
import { freePort } from '../support/ports.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/workspace.js';

/** The commands of the README's way that come before a platform of one's own, a line each. */
function firstCommands(): string[] {
  const [way = ''] = section(document('README.md'), 'From a real export to a cron line').split('**2. ');
  return [...way.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, lines = '']) => lines.trimEnd().split('\n'));
}

/** The repository as a clone has it, without what is built or installed. */
function clone(): string {
  const folder = tempFolder();
  for (const path of contextFiles(REPOSITORY, dockerIgnore(''), ['.git', 'node_modules', 'dist'])) {
    cpSync(join(REPOSITORY, path), join(folder, path));
  }
  return folder;
}

/** Starts a line of a shell; what it starts ends with the test. */
function shell(line: string, cwd: string, home: string) {
  const env = { ...programEnv(), HOME: home, npm_config_update_notifier: 'false' };
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  onTestFinished(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  return { ended, output: () => output };
}

it('a clone reaches its first accepted row with five commands, without editing a file', {
  timeout: 300_000,
}, async () => {
  const [install, sandbox = '', ...others] = firstCommands();
  expect([install, others.length + 2]).toEqual(['npm ci', 5]);
  const [folder, home] = [clone(), tempFolder()];
  mkdirSync(join(home, 'Downloads'));
  writeFileSync(join(home, 'Downloads/academy-completions.csv'), csvOf(exportRows(3)));
  // What npm ci would download is here already.
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  // The port of the README may be taken on this machine.
  const port = await freePort();
  const platform = shell(`${sandbox} --port ${port}`, folder, home);
  await until(
    'the sandbox listens',
    () => platform.output().includes(`listens on http://127.0.0.1:${port}`),
    60_000,
  );
  let last = '';
  for (const line of others) {
    const { code, output } = await shell(line.replace(':8070', `:${port}`), folder, home).ended;
    expect(code, `${line}\n${output}`).toBe(0);
    last = output;
  }
  expect(last).toContain('3 rows accepted');
  const received = await fetch(`http://127.0.0.1:${port}/_sandbox/received`);
  expect(await received.text()).toContain('/api/v2/completions');
});
