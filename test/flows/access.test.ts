import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { isPassword } from '../../src/actions/access/password.js';
import { readPasswordHash } from '../../src/domain/access/password-hash.js';
import { commandLine } from '../support/command-line.js';
import { onTerminal } from '../support/terminal.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const PASSWORD = 'correct horse battery';
const SLOW = { timeout: 300_000 };
const ON_TERMINAL = { ...SLOW, tags: ['script'] };

let workspace: TestWorkspace;
let file = '';

beforeEach(async () => {
  workspace = await testWorkspace();
  file = join(workspace.root, 'registrar.yaml');
  writeFileSync(file, `# ours\n${stringify(parse(readFileSync(file, 'utf8')))}# the end\n`);
});

const text = () => readFileSync(file, 'utf8');

/** A command line with a password on standard input; nothing is set in the environment. */
function user(args: string, input = `${PASSWORD}\n`) {
  return commandLine(['user', ...args.split(' ')], { cwd: workspace.root, input });
}

async function isPasswordOf(index: number, password: string): Promise<boolean> {
  const { console } = parse(text()) as { console: { users: { password: string }[] } };
  const hash = readPasswordHash(console.users[index]?.password ?? '');
  return hash !== null && (await isPassword(password, hash));
}

describe('registrar user', () => {
  it('adds somebody to registrar.yaml, whose other lines stay, and removes them again', async () => {
    const before = text();
    const added = await user('add ada --role operator --password-stdin');
    expect(added).toMatchObject({ code: 0, stdout: `Added ada (operator) to ${file}.\n`, stderr: '' });
    expect(text().startsWith(before)).toBe(true);
    expect(text()).not.toContain(PASSWORD);
    expect(await isPasswordOf(0, PASSWORD)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await user('add bob@example.com --role viewer --password-stdin', 'another long password');
    const list = await user('list');
    expect(list.stdout).toMatch(/ada +operator\nbob@example.com +viewer\n/);
    // The rest of the program takes the file as it is.
    expect((await workspace.cli('status')).code).toBe(0);
    expect((await user('remove ADA')).stdout).toBe(`Removed ada from ${file}.\n`);
    await user('remove bob@example.com');
    expect(text()).toBe(before);
    expect((await user('list')).stdout).toContain('No users yet');
  });

  it.each([
    ['add ada --role operator --password-stdin', 'short\n', 'the password is shorter than 12 characters'],
    ['add ada --role operator --password-stdin', '', 'the password is shorter than 12 characters'],
    [
      'add ada --role operator --password-stdin',
      'two lines of\ntext',
      'has a character that nobody can type',
    ],
    ['add adalovelace1 --role viewer --password-stdin', 'AdaLovelace1', 'the password is the name'],
    ['add ada --role operator', PASSWORD, 'there is no password: nobody can be asked for it here'],
    ['add ada --password-stdin', PASSWORD, '--role is missing'],
    ['add --role viewer --password-stdin', PASSWORD, 'the name is missing'],
    ['add a,b --role viewer --password-stdin', PASSWORD, '"a,b" is not a name to log in with'],
    ['add ada --role boss --password-stdin', PASSWORD, 'Allowed choices are viewer, operator, auditor'],
    ['remove ada', '', 'registrar.yaml has no user "ada"'],
    ['remove', '', 'the name is missing'],
    ['chang ada', '', 'Allowed choices are add, list, remove'],
  ])('%s is refused, and nothing is written', async (args, input, message) => {
    const before = text();
    const { code, stderr } = await user(args, input);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain(PASSWORD);
    expect(text()).toBe(before);
  });

  it('refuses a name that somebody has', async () => {
    await user('add ada --role operator --password-stdin');
    const before = text();
    const again = await user('add Ada --role viewer --password-stdin');
    expect(again.stderr).toContain(
      'has a user "ada" already. For another password or role: registrar user remove ada',
    );
    expect(text()).toBe(before);
  });

  it('shows what to write by hand where the file is not written line by line', async () => {
    writeFileSync(file, JSON.stringify(parse(text())));
    const { code, stderr } = await user('add ada --role operator --password-stdin');
    expect(code).toBe(2);
    expect(stderr).toContain('are not written line by line');
    expect(stderr).toMatch(/- name: "ada"\n {2}role: operator\n {2}password: "scrypt:/);
  });

  it('asks for the password twice on a terminal, which never shows it', ON_TERMINAL, async () => {
    const { code, screen } = await onTerminal(
      ['user', 'add', 'ada', '--role', 'operator'],
      { cwd: workspace.root },
      [
        ["Password of ada (it isn't shown): ", 'short\r'],
        ['Choose another.\nPassword', ''],
        ["(it isn't shown): ", `${PASSWORD} \r`],
        ['The same again: ', `${PASSWORD}\r`],
        ['The two differ.', ''],
        ["(it isn't shown): ", `${PASSWORD} \r`],
        ['The same again: ', `${PASSWORD} \r`],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain('Added ada (operator)');
    expect(screen).not.toContain('correct');
    expect(screen).not.toContain('short\n');
    expect(await isPasswordOf(0, `${PASSWORD} `)).toBe(true);
  });

  it(
    'leaves no trace when it is interrupted, and asks nothing where the terminal would show it',
    ON_TERMINAL,
    async () => {
      const before = text();
      const args = ['user', 'add', 'ada', '--role', 'operator'];
      const stopped = await onTerminal(args, { cwd: workspace.root }, [["(it isn't shown): ", 'abc\u0003']]);
      expect(stopped.code).toBe(130);
      expect(stopped.screen).not.toContain('abc');
      const dumb = await onTerminal(args, { cwd: workspace.root, env: { TERM: 'dumb' } }, []);
      expect(dumb.code).toBe(2);
      expect(dumb.screen).toContain('this terminal would show the password');
      expect(text()).toBe(before);
    },
  );
});

describe('registrar token', () => {
  it('shows a token once, on stdout alone, and keeps who added and revoked it', async () => {
    const added = await workspace.cli('token', 'add', 'billing', '--role', 'viewer');
    expect(added.stdout).toMatch(/^[\w-]{43}\n$/);
    expect(added.stderr).toContain('This is the token of billing (viewer). Nothing shows it again');
    const secret = added.stdout.trim();
    const list = await workspace.cli('token', 'list', '--json');
    expect(list.stdout).not.toContain(secret);
    expect(documentOf<object>(list)).toMatchObject({
      tokens: [
        { name: 'billing', role: 'viewer', added: { door: 'command-line' }, lastUsedAt: null, revoked: null },
      ],
    });
    const ledger = readFileSync(join(workspace.root, 'registrar.db'), 'latin1');
    expect(ledger).not.toContain(secret);
    const again = await workspace.cli('token', 'add', 'billing', '--role', 'operator');
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('there is a token "billing" already'),
    });
    expect((await workspace.cli('token', 'revoke', 'billing')).stdout).toContain('Revoked the token billing');
    expect((await workspace.cli('token', 'list')).stdout).toMatch(/billing +viewer .* - +\S/);
    expect((await workspace.cli('token', 'revoke', 'billing')).stderr).toContain('is revoked already');
  });

  it('there is none before the first, and none is made that nobody would see', async () => {
    expect((await workspace.cli('token', 'list')).stdout).toContain('No program has a token yet');
    const quiet = await workspace.cli('token', 'add', 'billing', '--role', 'viewer', '--quiet');
    expect(quiet).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--quiet would not show the token'),
    });
    expect((await workspace.cli('token', 'list', '--json')).stdout).toContain('"tokens": []');
  });
});
