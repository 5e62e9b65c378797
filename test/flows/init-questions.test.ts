import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { tempFolder } from '../support/temp-folder.js';
import { onTerminal } from '../support/terminal.js';

/** A file that leaves open which column is the course, the order of day and month, and the scale. */
const DOUBTFUL = `Wer,Kennung,Kurs,Am,Punkte
anna.schmidt@example.com,K-1,Erste Hilfe,03/04/2025 10:00,0.5
bob@example.com,K-2,Brandschutz,05/06/2025 11:30,0.9
`;

function folderWithSample(): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'kurse.csv'), DOUBTFUL);
  return folder;
}

const ADDRESSES: [string, string][] = [
  ['(baseUrl): ', 'http://127.0.0.1:8070/\r'],
  ['(authUrl) [http://127.0.0.1:8070]: ', '\r'],
];

const ANSWERS: [string, string][] = [
  ...ADDRESSES,
  ['client id [REGISTRAR_CLIENT_ID]: ', 'LMS_ID\r'],
  ['client secret [REGISTRAR_CLIENT_SECRET]: ', '\r'],
  ['(number) [submit-completion]: ', '1\r'],
  ['real export [none]: ', 'kurse.csv\r'],
  ['source [kurse]: ', '\r'],
  ['Column of user-id (number) [Wer]: ', '\r'],
  ['Column of content-id (number): ', '2\r'],
  ['Column of completed-at (number) [Am]: ', 'Am\r'],
  ['day and month (number): ', 'day-first\r'],
  ['the scores (number): ', '2\r'],
  ['Time zone of the files [', '\u0015Europe/Vienna\r'],
  ['Write it? [yes]: ', '\r'],
];

/** Each is a program on a terminal, and types a line at a time. */
const SLOW = { timeout: 300_000 };

describe('init on a terminal', { tags: ['script'] }, () => {
  it(
    'asks for what no option says, and writes the file that its options write without one',
    SLOW,
    async () => {
      const folder = folderWithSample();
      const asked = await onTerminal(['init', 'asked'], { cwd: folder }, ANSWERS);
      expect(asked.code, asked.screen).toBe(0);
      const written = readFileSync(join(folder, 'asked/registrar.yaml'), 'utf8');
      expect(written).toMatch(/baseUrl: http:\/\/127\.0\.0\.1:8070 .*clientId: \$\{LMS_ID\}/s);
      expect(written).toMatch(/timeZone: Europe\/Vienna .*dateOrder: day-first .*scale: "0-1"/s);
      expect(written).toMatch(/content-id: "Kennung"/);
      expect(written).not.toMatch(/confirm:|replace:|anna|schmidt/);
      // What it can't know is shown with the sample's values.
      expect(asked.screen).toContain('  2  Kennung (K-1, K-2)\n');
      expect(asked.screen).toContain('anna.schmidt@example.com');

      const same = /^The same without questions:\n {2}registrar (.*)$/m.exec(asked.screen)?.[1] ?? '';
      const args = same.replace('/asked', '/given').split(' ');
      const given = await commandLine(args, { cwd: tempFolder() });
      expect(given).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(folder, 'given/registrar.yaml'), 'utf8')).toBe(written);
    },
  );

  it(
    'asks again with the sentence where an answer is wrong, on a dumb terminal without an escape',
    SLOW,
    async () => {
      const folder = folderWithSample();
      const { code, screen } = await onTerminal(
        ['init', 'here', '--operation', 'create-group'],
        { cwd: folder, env: { TERM: 'dumb' } },
        [
          ['(baseUrl): ', '\r'],
          ['Enter a value.', ''],
          ['(baseUrl): ', 'http://platform.example\r'],
          ['must begin with https://; plain http is for this machine alone', ''],
          ['(baseUrl): ', 'https://me:word@platform.example\r'],
          ['carries a user name or password', ''],
          ['(baseUrl): ', 'https://platform.example\r'],
          ['(authUrl) [https://platform.example]: ', '\r'],
          ['client id [REGISTRAR_CLIENT_ID]: ', 'b3f1-9c\r'],
          ['not the value itself', ''],
          ['client id [REGISTRAR_CLIENT_ID]: ', '\r'],
          ['client secret [REGISTRAR_CLIENT_SECRET]: ', '\r'],
          ['real export [none]: ', 'nothing.csv\r'],
          ['Check the path.', ''],
          ['real export [none]: ', '\r'],
          ['source [academy]: ', 'two words\r'],
          ['"two words" is not a name', ''],
          // The terminal itself takes a letter back.
          ['source [academy]: ', 'grp\u007foups\r'],
          ['Write it? [yes]: ', 'yes\r'],
        ],
      );
      expect(code, screen).toBe(0);
      expect(screen).not.toContain('\u001b');
      expect(existsSync(join(folder, 'here/inbox/groups'))).toBe(true);
      expect(readFileSync(join(folder, 'here/registrar.yaml'), 'utf8')).toContain('operation: create-group');
    },
  );

  it.each<[string, string, number, string]>([
    ['Ctrl-C', '\u0003', 130, 'interrupted before the last question was answered; nothing was written'],
    ['the end of input', '\u0004', 2, 'the input ended before the last question was answered'],
  ])('leaves nothing behind after %s', SLOW, async (_, key, code, sentence) => {
    const folder = folderWithSample();
    const last: [string, string] = ['client id [REGISTRAR_CLIENT_ID]: ', key];
    const ended = await onTerminal(['init', 'here'], { cwd: folder }, [...ADDRESSES, last]);
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen.replace(/\s+/g, ' ')).toContain(sentence);
    expect(readdirSync(folder)).toEqual(['kurse.csv']);
  });

  it('writes nothing where it is told not to', SLOW, async () => {
    const folder = folderWithSample();
    const { code, screen } = await onTerminal(['init', 'here'], { cwd: folder }, [
      ...ANSWERS.slice(0, -1),
      ['Write it? [yes]: ', 'no\r'],
    ]);
    expect([code, screen]).toEqual([0, expect.stringContaining('Nothing was written.')]);
    expect(readdirSync(folder)).toEqual(['kurse.csv']);
  });

  it.each<[string, readonly string[], Record<string, string>]>([
    ['--yes', ['--yes'], {}],
    ['--json', ['--json'], {}],
    ['--quiet', ['--quiet'], {}],
    ['CI', [], { CI: 'true' }],
  ])('asks nothing with %s', SLOW, async (_, options, env) => {
    const folder = folderWithSample();
    const { code, screen } = await onTerminal(['init', 'here', ...options], { cwd: folder, env }, []);
    expect([code, screen]).toEqual([0, expect.not.stringContaining('(baseUrl):')]);
    expect(existsSync(join(folder, 'here/registrar.yaml'))).toBe(true);
  });
});

describe('the options of init', () => {
  it.each<[string, readonly string[], string]>([
    [
      'an address',
      ['--base-url', 'http://platform.example'],
      '--base-url: "http://platform.example" must begin with https://',
    ],
    [
      'an address with a password',
      ['--auth-url', 'https://a:b@c.example'],
      '--auth-url: it carries a user name or password',
    ],
    [
      'a secret for its variable',
      ['--client-secret-env', 's3cr-et'],
      '--client-secret-env: it is not an environment variable',
    ],
    [
      'a zone',
      ['--time-zone', 'Europe/Berln'],
      '"Europe/Berln" is not an IANA time zone; did you mean Europe/Berlin?',
    ],
    ['a name', ['--source', 'a b'], '--source: "a b" is not a name'],
    ['a column without =', ['--column', 'user-id'], '--column: "user-id" has no = between field and value'],
    [
      'a field',
      ['--column', 'learner=Wer'],
      '--column: "learner" is no field of submit-completion; its fields are user-id',
    ],
    [
      'a header',
      ['--column', 'user-id=Mail'],
      'user-id: kurse.csv has no column "Mail"; its columns are "Wer", "Kennung"',
    ],
    ['a field of a value', ['--default', 'kind=x'], '--default: "kind" is no field of submit-completion'],
  ])('refuse a wrong value, and nothing is written: %s', async (_, options, sentence) => {
    const folder = folderWithSample();
    const args = ['init', 'here', '--sample', 'kurse.csv', ...options];
    const { code, stderr } = await commandLine(args, { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(stderr).not.toContain('s3cr-et');
    expect(readdirSync(folder)).toEqual(['kurse.csv']);
  });

  it('name columns that no header and no value shows, none, and a value for all rows', async () => {
    const folder = folderWithSample();
    const options = [
      '--column',
      'content-id=Kennung',
      '--column',
      'content-title=',
      '--default',
      'content-type=Video',
    ];
    const made = await commandLine(['init', 'here', '--sample', 'kurse.csv', ...options], { cwd: folder });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const written = readFileSync(join(folder, 'here/registrar.yaml'), 'utf8');
    expect(written).toMatch(
      /content-id: "Kennung" {2}# as given to registrar init; holds 2 distinct values such as K-1/,
    );
    expect(written).toMatch(/content-title: null {2}# no column is it, as given to registrar init/);
    expect(written).toMatch(/content-type: Video {2}# as given to registrar init/);
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
    expect(written).toMatch(
      /baseUrl: https:\/\/platform\.example {2}#.*authUrl: https:\/\/login\.example {2}#/s,
    );
  });

  it('are about a sample where they say how one is read', async () => {
    const folder = tempFolder();
    const { code, stderr } = await commandLine(['init', 'here', '--scale', '0-1'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('name one with --sample FILE')]);
  });
});
