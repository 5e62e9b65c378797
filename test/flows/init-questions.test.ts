import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { once } from '../../src/domain/process/once.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { commandLine, programEnv } from '../support/command-line.js';
import { tempFolder } from '../support/temp-folder.js';
import { onTerminal } from '../support/terminal.js';

/** A file that leaves open which column is the course, the order of day and month, and the scale. */
const DOUBTFUL = `Wer,Kennung,Kurs,Am,Punkte
anna.schmidt@example.com,K-1,Erste Hilfe,03/04/2025 10:00,0.5
bob@example.com,K-2,Brandschutz,05/06/2025 11:30,0.9
`;

function folderWithSample(folder = tempFolder()): string {
  writeFileSync(join(folder, 'kurse.csv'), DOUBTFUL);
  return folder;
}

/** The key, and Ctrl-U, which takes back what is typed. */
const DOWN = '\u001b[B';
const CLEAR = '\u0015';

const ADDRESSES: [string, string][] = [
  ['(baseUrl):', 'http://127.0.0.1:8070/\r'],
  ['(authUrl) [http://127.0.0.1:8070]:', '\r'],
];

const ANSWERS: [string, string][] = [
  ...ADDRESSES,
  ['client id [REGISTRAR_CLIENT_ID]:', 'LMS_ID\r'],
  ['client secret [REGISTRAR_CLIENT_SECRET]:', '\r'],
  ['do on the platform?', '\r'],
  ['real export:', 'kurse.csvx\u007f\r'],
  ['source [kurse]:', '\r'],
  ['? Column of user-id', 'Wer\r'],
  // Nothing is proposed, so Enter enters nothing.
  ['? Column of content-id', '\r'],
  ['Choose one.', 'Kennung\r'],
  ['? Column of completed-at', 'Am\r'],
  ['? Order of day and month', 'day-first\r'],
  ['? Scale of the scores', `${DOWN}${DOWN}\r`],
  ['Time zone of the files [', 'Europe/Vienna\r'],
  ['Write it?', '\r'],
];

/** One dialogue of those below. */
interface Dialogue {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly replies: readonly (readonly [prompt: string, reply: string])[];
}

const DIALOGUES = {
  answers: { args: ['init', 'asked'], replies: ANSWERS },
  mistakes: {
    args: ['init', 'here', '--operation', 'create-group'],
    replies: [
      ['(baseUrl):', '\r'],
      ['Enter a value.', 'http://platform.example\r'],
      ['must begin with https://; plain http is only for this machine', CLEAR],
      ['(baseUrl):', 'https://me:word@platform.example\r'],
      ['carries a user name or password', CLEAR],
      ['(baseUrl):', 'https://platform.example\r'],
      ['(authUrl) [https://platform.example]:', '\r'],
      ['client id [REGISTRAR_CLIENT_ID]:', 'b3f1-9c\r'],
      ['not the value itself', CLEAR],
      ['client id [REGISTRAR_CLIENT_ID]:', '\r'],
      ['client secret [REGISTRAR_CLIENT_SECRET]:', '\r'],
      ['real export:', 'nothing.csv\r'],
      ['Check the path.', CLEAR],
      ['real export:', '\r'],
      ['source [academy]:', 'two words\r'],
      ['"two words" is not a name', CLEAR],
      ['source [academy]:', 'grp\u007foups\r'],
      ['Write it?', 'yes\r'],
    ],
  },
  'Ctrl-C': {
    args: ['init', 'here'],
    replies: [...ADDRESSES, ['client id [REGISTRAR_CLIENT_ID]:', '\u0003']],
  },
  'the end of input': {
    args: ['init', 'here'],
    replies: [...ADDRESSES, ['client id [REGISTRAR_CLIENT_ID]:', '\u0004']],
  },
  declined: {
    args: ['init', 'here', '--operation', 'create-group', '--base-url', 'https://platform.example'],
    replies: [
      ['(authUrl) [', '\r'],
      ['client id [', '\r'],
      ['client secret [', '\r'],
      ['real export:', '\r'],
      ['source [', '\r'],
      ['Write it?', 'no\r'],
    ],
  },
  CI: { args: ['init', 'here'], env: { CI: 'true' }, replies: [] },
  'a terminal that can’t move its cursor': { args: ['init', 'here'], env: { TERM: 'dumb' }, replies: [] },
} satisfies Readonly<Record<string, Dialogue>>;

/** To be loaded before the program (`node --import`): each import of the program's file carries out a command line. */
const SCRIPT = `
import { pathToFileURL } from 'node:url';

const { LINES } = process.env;
for (const name of ['NODE_OPTIONS', 'LINES']) delete process.env[name];
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
const { argv, env } = process;
for (const { args, folder, more } of JSON.parse(LINES)) {
  process.exitCode = undefined;
  process.argv = [...argv.slice(0, 2), ...args];
  process.env = { ...env, ...more };
  process.chdir(folder);
  await import(pathToFileURL(argv[1]) + '?' + folder);
  process.stdout.write('\\nended with ' + process.exitCode + '.\\n');
}
process.exitCode = 0;
process.argv = argv;
`;

/** How each dialogue ended and its folder, all of them held on one terminal by one process, since to start takes longer than most. */
const held = once(async () => {
  const all = mkdtempSync(join(tmpdir(), 'registrar-'));
  onDone = () => rmSync(all, { recursive: true });
  const script = join(all, 'dialogues.mjs');
  writeFileSync(script, SCRIPT);
  const dialogues: [string, Dialogue][] = Object.entries(DIALOGUES);
  const folders = dialogues.map(() => folderWithSample(mkdtempSync(join(all, 'dialogue-'))));
  const lines = dialogues.map(([, { args, env }], index) => ({ args, folder: folders[index], more: env }));
  const replies = dialogues.flatMap((dialogue) => dialogue[1].replies);
  const env = { NODE_OPTIONS: `--import ${script}`, LINES: JSON.stringify(lines) };
  const { code, screen } = await onTerminal(['version'], { cwd: all, env }, replies);
  expect(code, screen).toBe(0);
  const shown = screen.split(/^ended with (.+)\.$/m);
  return (name: keyof typeof DIALOGUES) => {
    const index = dialogues.findIndex(([other]) => other === name);
    return {
      folder: folders[index] ?? '',
      screen: shown[2 * index] ?? '',
      code: Number(shown[2 * index + 1]),
    };
  };
});

let onDone = () => {};
afterAll(() => onDone());

const SLOW = { timeout: 300_000 };

describe('init on a terminal', { tags: ['script'] }, () => {
  it('prompts for the answers that no option gives, and writes the file', SLOW, async () => {
    const { folder, code, screen } = (await held())('answers');
    expect(code, screen).toBe(0);
    const written = readFileSync(join(folder, 'asked/registrar.yaml'), 'utf8');
    expect(written).toMatch(/baseUrl: http:\/\/127\.0\.0\.1:8070 .*clientId: \$\{LMS_ID\}/s);
    expect(written).toMatch(/timeZone: Europe\/Vienna .*dateOrder: day-first .*scale: 0-1/s);
    expect(written).toMatch(/content-id: Kennung/);
    expect(written).not.toMatch(/confirm:|replace:|anna|schmidt/);
    // What it can't know is shown with the sample's values.
    expect(screen).toContain('Kennung (K-1, K-2)');
    expect(screen).toContain('anna.schmidt@example.com');
  });

  it('prompts again with the sentence where an answer is wrong', SLOW, async () => {
    const { folder, code, screen } = (await held())('mistakes');
    expect(code, screen).toBe(0);
    expect(existsSync(join(folder, 'here/inbox/groups'))).toBe(true);
    expect(readFileSync(join(folder, 'here/registrar.yaml'), 'utf8')).toContain('operation: create-group');
  });

  it.each([
    ['Ctrl-C', 130, 'interrupted before the last question was answered; nothing was written'],
    ['the end of input', 2, 'the input ended before the last question was answered'],
  ] as const)('leaves nothing behind after %s', SLOW, async (name, code, sentence) => {
    const ended = (await held())(name);
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen.replace(/\s+/g, ' ')).toContain(sentence);
    expect(readdirSync(ended.folder)).toEqual(['kurse.csv']);
  });

  it('writes nothing where the answer is no', SLOW, async () => {
    const { folder, code, screen } = (await held())('declined');
    expect([code, screen]).toEqual([0, expect.stringContaining('Nothing was written.')]);
    expect(readdirSync(folder)).toEqual(['kurse.csv']);
  });

  it.each(['--yes', '--json', '--quiet'])('prompts for nothing with %s', async (option) => {
    const folder = folderWithSample();
    const io: Io = {
      out: () => {},
      err: () => {},
      prompts: () => expect.fail('it prompts'),
      isTerminal: true,
      env: programEnv(),
      cwd: folder,
    };
    const { signal } = new AbortController();
    const undisturbed = { signal, onReload: () => {}, logTo: () => {} };
    expect(await runCommandLine(['node', 'registrar', 'init', 'here', option], io, undisturbed)).toBe('done');
    expect(existsSync(join(folder, 'here/registrar.yaml'))).toBe(true);
  });

  it.each(['CI', 'a terminal that can’t move its cursor'] as const)(
    'prompts for nothing with %s',
    SLOW,
    async (name) => {
      const { folder, code, screen } = (await held())(name);
      expect([code, screen]).toEqual([0, expect.not.stringContaining('(baseUrl):')]);
      expect(existsSync(join(folder, 'here/registrar.yaml'))).toBe(true);
    },
  );
});

describe('the options of init', () => {
  it.each<[string, readonly string[], string]>([
    ['an address', ['--base-url', 'http://platform.example'], '--base-url: it must begin with https://'],
    [
      'an address with a password',
      ['--auth-url', 'https://a:b@c.example'],
      '--auth-url: it carries a user name or password',
    ],
    [
      'a secret for its variable',
      ['--client-secret-env', 's3cr-et'],
      '--client-secret-env: there is no environment variable of this name',
    ],
    [
      'a zone',
      ['--time-zone', 'Europe/Berln'],
      '"Europe/Berln" is not an IANA time zone; did you mean Europe/Berlin?',
    ],
    ['a name', ['--source', 'a b'], '--source: "a b" is not a name'],
  ])('refuse a wrong value, and nothing is written: %s', async (_, options, sentence) => {
    const folder = folderWithSample();
    const args = ['init', 'here', '--sample', 'kurse.csv', ...options];
    const { code, stderr } = await commandLine(args, { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(stderr).not.toContain('s3cr-et');
    expect(readdirSync(folder)).toEqual(['kurse.csv']);
  });

  it('take addresses as a manual of the platform shows them, and write those of the hosts', async () => {
    const folder = tempFolder();
    const options = [
      '--base-url',
      'https://platform.example/api/v2/',
      '--auth-url',
      'https://login.example/oauth/token',
    ];
    expect(await commandLine(['init', 'here', ...options], { cwd: folder })).toMatchObject({ code: 0 });
    const written = readFileSync(join(folder, 'here/registrar.yaml'), 'utf8');
    expect(written).toMatch(/baseUrl: https:\/\/platform\.example #.*authUrl: https:\/\/login\.example #/s);
  });
});

describe('init tests address and secret before it ends', () => {
  const VARIABLES = { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };
  const init = (url: string, env: Record<string, string>) =>
    commandLine(['init', 'here', '--base-url', url], { cwd: tempFolder(), env });

  async function sandbox() {
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    return server;
  }

  it('by requesting a token, and nothing else', async () => {
    const { url } = await sandbox();
    expect(await init(url, VARIABLES)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('main gives a token for completions:write'),
    });
    const { requests } = (await (await fetch(`${url}/_sandbox/received`)).json()) as {
      requests: { path: string }[];
    };
    expect(requests.map(({ path }) => path)).toEqual(['/oauth/token']);
  });

  it('and says what to do where they don’t work, without the secret', async () => {
    const { url } = await sandbox();
    const { code, stdout } = await init(url, { ...VARIABLES, REGISTRAR_CLIENT_SECRET: 'wr0ng' });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/main gives no token .*Check clientId and/s)]);
    expect(stdout).not.toContain('wr0ng');
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      'the variables aren’t set',
      'http://127.0.0.1:9',
      {},
      "REGISTRAR_CLIENT_ID and REGISTRAR_CLIENT_SECRET aren't set",
    ],
    ['the platform can’t be reached', 'http://127.0.0.1:9', VARIABLES, "the platform can't be reached: "],
  ])('but not where %s, and says so', async (_, url, env, sentence) => {
    const { code, stdout } = await init(url, env);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`were not tested: ${sentence}`)]);
  });
});
