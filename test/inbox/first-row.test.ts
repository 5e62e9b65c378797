import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startSandbox } from '../../src/sandbox/server.js';
import { commandLine, programEnv } from '../support/command-line.js';
import { csvOf, exportRows } from '../support/exports.js';
import { document, section } from '../support/markdown.js';
import { sftpServer } from '../support/sftp-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { CREDENTIALS } from '../support/workspace.js';

/** The steps of docs/sources.md: its blocks of one language, in order. */
function blocks(language: string): string[] {
  const way = section(document('docs/sources.md'), 'From an account to the first accepted row');
  const [steps = ''] = way.split('\nA running `registrar schedule`');
  return [...steps.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) =>
    text.replace(/^ {3}/gm, '').trim(),
  );
}

interface Settings {
  sources: { name: string; inbox?: { sftp: object } }[];
}

it('an SFTP account reaches its first accepted row with at most six commands', {
  tags: ['sshd'],
}, async () => {
  const commands = blocks('sh');
  expect(commands.length).toBeLessThanOrEqual(6);
  const server = await sftpServer();
  writeFileSync(join(server.folder, 'march.csv'), csvOf(exportRows(3)));
  const platform = await startSandbox({ quota: { requests: 70, perMs: 500 } });
  const folder = tempFolder();
  const shell = async (line: string) => {
    const [program, ...args] = line.split(' ');
    // Its lines have nothing for a shell but spaces.
    if (program === 'registrar' && /^[\w./: -]+$/.test(line)) {
      const { code, stdout } = await commandLine(args, { cwd: folder, env: CREDENTIALS });
      return { status: code as unknown, stdout };
    }
    return new Promise<{ status: unknown; stdout: string }>((done) => {
      execFile('sh', ['-c', line], { cwd: folder, env: programEnv() }, (error, stdout) =>
        done({ status: error?.code ?? 0, stdout }),
      );
    });
  };
  const settingsFile = join(folder, 'registrar.yaml');
  const change = (how: (sftp: object) => object) => {
    const settings = parse(readFileSync(settingsFile, 'utf8')) as Settings;
    for (const source of settings.sources) source.inbox = { sftp: how(source.inbox?.sftp ?? {}) };
    writeFileSync(settingsFile, stringify(settings));
  };

  try {
    // The only address that isn't the reader's own.
    const [init = '', makeKey = '', ...others] = commands;
    expect(await shell(init.replace('https://platform.example', platform.url))).toMatchObject({ status: 0 });
    expect(await shell(makeKey)).toMatchObject({ status: 0 });
    // The administrator of the server allows the key, and the reader names the server as the page does.
    cpSync(join(folder, 'academy.key.pub'), join(server.folder, '..', 'account.pub'));
    const [named] = (parse(blocks('yaml')[0] ?? '') as Settings).sources;
    const { port, user, folder: out } = server.settings;
    change(() => ({ ...named?.inbox?.sftp, host: '127.0.0.1', port, user, folder: out }));
    const [askForKey = '', tryAccount = '', run = '', ...more] = others;
    expect(more).toEqual([]);
    const shown = /write hostKey: (SHA256:\S+)/.exec(
      (await shell(askForKey)).stdout.replace(/\s+/g, ' '),
    )?.[1];
    expect(shown).toBe(server.settings.hostKey);
    change((sftp) => ({ ...sftp, hostKey: shown }));
    const tried = await shell(tryAccount);
    expect([tried.status, tried.stdout]).toEqual([0, expect.stringContaining('lets files be archived')]);
    const delivered = await shell(run);
    expect([delivered.status, delivered.stdout]).toEqual([0, expect.stringContaining('3 rows accepted')]);
    expect(platform.platform.completions()).toHaveLength(3);
  } finally {
    await platform.close();
  }
});
