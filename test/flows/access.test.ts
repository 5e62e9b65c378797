import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { isPassword } from '../../src/actions/access/password.js';
import { readPasswordHash } from '../../src/domain/access/password-hash.js';
import { commandLine } from '../support/command-line.js';
import { tempFolder } from '../support/temp-folder.js';
import { onTerminal } from '../support/terminal.js';
import { documentOf, ledgerEnv, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';

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

/** A command line with a password on standard input; no credentials are set in the environment. */
function user(args: string, input = `${PASSWORD}\n`) {
  return commandLine(['user', ...args.split(' ')], { cwd: workspace.root, env: ledgerEnv(workspace), input });
}

async function isHashOf(hash: string, password: string): Promise<boolean> {
  const read = readPasswordHash(hash);
  return read !== null && (await isPassword(password, read));
}

interface Printed {
  readonly console: { readonly users: readonly { readonly password: string }[] };
}

describe('registrar user', () => {
  it('prints lines for registrar.yaml that the program takes, and lists its users', async () => {
    const before = text();
    const hashed = await user('hash ada --role operator --password-stdin');
    expect(hashed).toMatchObject({ code: 0, stderr: '' });
    expect(text()).toBe(before);
    expect(hashed.stdout).not.toContain(PASSWORD);
    const { console } = parse(hashed.stdout) as Printed;
    expect(console.users).toMatchObject([{ name: 'ada', role: 'operator' }]);
    expect(await isHashOf(console.users[0]?.password ?? '', PASSWORD)).toBe(true);
    expect((await user('list')).stdout).toContain('No users yet');
    writeFileSync(file, before + hashed.stdout);
    expect((await user('list')).stdout).toMatch(/ada +operator\n/);
    // The rest of the program reads the file as is.
    expect((await workspace.cli('status')).code).toBe(0);
  });

  it('needs no workspace', async () => {
    const args = ['user', 'hash', 'bob@example.com', '--role', 'viewer', '--password-stdin', '--json'];
    const hashed = await commandLine(args, { cwd: tempFolder(), input: 'another long password' });
    expect(documentOf<object>(hashed)).toMatchObject({ user: { name: 'bob@example.com', role: 'viewer' } });
  });

  it('refuses what can’t be hashed, and says why', async () => {
    for (const [args, input, message] of [
      ['hash ada --role operator --password-stdin', 'short\n', 'the password is shorter than 12 characters'],
      ['hash ada --role operator --password-stdin', '', 'the password is shorter than 12 characters'],
      [
        'hash ada --role operator --password-stdin',
        'two lines of\ntext',
        'has a character that can’t be typed',
      ],
      ['hash adalovelace1 --role viewer --password-stdin', 'AdaLovelace1', 'the password is the name'],
      ['hash ada --role operator', PASSWORD, 'there is no password: this terminal can’t prompt for it'],
      ['hash ada --password-stdin', PASSWORD, '--role is missing'],
      ['hash --role viewer --password-stdin', PASSWORD, 'the name is missing'],
      ['hash a,b --role viewer --password-stdin', PASSWORD, '"a,b" is not a valid name'],
      ['hash ada --role boss --password-stdin', PASSWORD, 'Allowed choices are viewer, operator, auditor'],
      ['add ada', '', 'Allowed choices are hash, list'],
    ] as const) {
      const { code, stdout, stderr } = await user(args, input);
      expect({ args, code, stdout, stderr }).toEqual({
        args,
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
      expect(stderr).not.toContain(PASSWORD);
    }
  });

  it('prompts for the password twice on a terminal, which never shows it', ON_TERMINAL, async () => {
    const { code, screen } = await onTerminal(
      ['user', 'hash', 'ada', '--role', 'operator'],
      { cwd: workspace.root },
      [
        ["Password of ada (it isn't shown):", 'short\r'],
        ['Choose another.', ''],
        ["(it isn't shown):", `${PASSWORD} \r`],
        ['Repeat the password:', `${PASSWORD}\r`],
        ['The passwords differ.', ''],
        ["(it isn't shown):", `${PASSWORD} \r`],
        ['Repeat the password:', `${PASSWORD} \r`],
      ],
    );
    expect(code).toBe(0);
    expect(screen).not.toContain('correct');
    expect(screen).not.toContain('short\n');
    const hash = /password:\s+"([^"]+)"/.exec(screen)?.[1] ?? '';
    expect(await isHashOf(hash, `${PASSWORD} `)).toBe(true);
  });

  it(
    'prints nothing when it is interrupted, and doesn’t prompt where the terminal can’t hide the answer',
    ON_TERMINAL,
    async () => {
      const args = ['user', 'hash', 'ada', '--role', 'operator'];
      const stopped = await onTerminal(args, { cwd: workspace.root }, [["(it isn't shown):", 'abc\u0003']]);
      expect(stopped.code).toBe(130);
      expect(stopped.screen).not.toContain('abc');
      const dumb = await onTerminal(args, { cwd: workspace.root, env: { TERM: 'dumb' } }, []);
      expect(dumb.code).toBe(2);
      expect(dumb.screen).toContain('there is no password: this terminal can’t prompt for it');
      expect(dumb.screen).toContain('--password-stdin');
    },
  );
});

describe('registrar token', () => {
  it('shows a token once, on stdout alone, and keeps who added and revoked it', async () => {
    const added = await workspace.cli('token', 'add', 'billing', '--role', 'viewer');
    expect(added.stdout).toMatch(/^[\w-]{43}\n$/);
    expect(added.stderr).toContain('This is the token of billing (viewer). It is shown only once');
    const secret = added.stdout.trim();
    const list = await workspace.cli('token', 'list', '--json');
    expect(list.stdout).not.toContain(secret);
    expect(documentOf<object>(list)).toMatchObject({
      tokens: [
        { name: 'billing', role: 'viewer', added: { door: 'command-line' }, lastUsedAt: null, revoked: null },
      ],
    });
    expect(ledgerText(workspace)).toContain('billing');
    expect(ledgerText(workspace)).not.toContain(secret);
    const again = await workspace.cli('token', 'add', 'billing', '--role', 'operator');
    expect({ code: again.code, stderr: again.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('a token "billing" already exists'),
    });
    expect((await workspace.cli('token', 'revoke', 'billing')).stdout).toContain('Revoked the token billing');
    expect((await workspace.cli('token', 'list')).stdout).toMatch(/billing +viewer .* - +\S/);
    expect((await workspace.cli('token', 'revoke', 'billing')).stderr).toContain('is already revoked');
  });

  it('a token that is valid for a year shows in which year it expires', async () => {
    const added = await workspace.cli('token', 'add', 'billing', '--role', 'viewer', '--days', '365');
    const { tokens } = documentOf<{ tokens: { expiresAt: string }[] }>(
      await workspace.cli('token', 'list', '--json'),
    );
    const expires = tokens[0]?.expiresAt.slice(0, 10);
    expect(added.stderr).toContain(`(viewer), valid until ${expires}.`);
    expect((await workspace.cli('token', 'list')).stdout).toContain(` ${expires} `);
  });

  it('no token exists before the first, and --quiet adds none, because it would not show it', async () => {
    expect((await workspace.cli('token', 'list')).stdout).toContain('No program has a token yet');
    const quiet = await workspace.cli('token', 'add', 'billing', '--role', 'viewer', '--quiet');
    expect(quiet).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--quiet would hide the token'),
    });
    expect((await workspace.cli('token', 'list', '--json')).stdout).toContain('"tokens": []');
  });
});
