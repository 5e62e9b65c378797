import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { document } from '../support/markdown.js';
import { freePort } from '../support/ports.js';
import { freshDatabase } from '../support/postgres-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { CREDENTIALS, type ReportDocument } from '../support/workspace.js';

/** The commands under a heading of a document. */
function commandsUnder(text: string, heading: string): string[] {
  const [, section = ''] = text.split(`${heading}\n`);
  return (section.match(/```sh\n([\s\S]*?)```/)?.[1] ?? '').trim().split('\n');
}

it('ten commands take a newcomer from nothing to two services on one database', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const port = await freePort();
  const commands = commandsUnder(document('docs/deploy.md'), '### Try it: two services on one machine');
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.length).toBeLessThanOrEqual(10);
  const folder = tempFolder();
  copyFileSync(
    join(REPOSITORY, 'data/samples/academy-completions.csv'),
    join(folder, 'academy-completions.csv'),
  );
  // The tests have a server of their own, and an address of their own for the sandbox.
  const script = commands
    .join('\n')
    .replace('postgres://academy:chosen@localhost/academy', url)
    .replace('registrar sandbox', `registrar sandbox --port ${port}`)
    .replace('127.0.0.1:8070', `127.0.0.1:${port}`);
  const program = join(REPOSITORY, 'dist/program/main.js');
  const shell = `set -e; sudo() { :; }; registrar() { '${process.execPath}' '${program}' "$@"; }\n${script}\nwait`;
  const child = spawn('bash', ['-c', shell], { cwd: folder, stdio: 'ignore', detached: true });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  onTestFinished(() => database.end());
  const delivered = async () => {
    const { rows } = await database.query(
      "select count(*) > 0 and bool_and(state not in ('waiting', 'sending')) as all from submission",
    );
    return rows;
  };
  await expect.poll(delivered, { timeout: 200_000, interval: 1_000 }).toEqual([{ all: true }]);
  const { stdout } = await commandLine(['report', '--json', '--workspace', 'two'], {
    cwd: folder,
    env: { REGISTRAR_LEDGER_URL: url, ...CREDENTIALS },
  });
  const { accepted = 0, waiting = 0, sending = 0 } = (JSON.parse(stdout) as ReportDocument).states;
  expect([accepted > 0, waiting + sending]).toEqual([true, 0]);
  const { rows } = await database.query(
    'select count(*)::int as services from service where stopped_at is null',
  );
  expect(rows).toEqual([{ services: 2 }]);
});
