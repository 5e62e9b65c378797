import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ioError } from '../../src/workspace/files/io-error.js';
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
  expect(stderr).toBe('registrar: there is no run 4. No run has started yet.\n');
});

it('restage ends what is wrong with a full stop before it says what to do', async () => {
  const workspace = await testWorkspace({ sources: { academy: { timeZone: 'Europe/Berlin' } } });
  workspace.drop('a.csv', csvOf([exportRow(1), exportRow(2, { status: 'Maybe' })]));
  await workspace.cli('run');
  const { stdout } = await workspace.cli('restage', '1');
  expect(stdout).toContain(
    '1 invalid row: 0 would wait to be delivered, 0 repeat what is known, 0 would be skipped by policy, 1 would still be invalid.',
  );
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

it('a mistake in a command line ends with where its help is', async () => {
  const workspace = await testWorkspace();
  const missing = await workspace.cli('check', 'a.csv');
  expect(missing.stderr).toBe(
    "registrar: required option '--source <name>' not specified\nSee registrar check --help.\n",
  );
  const unknown = await workspace.cli('runn');
  expect(unknown.stderr).toBe(
    "registrar: unknown command 'runn'\n(Did you mean run?)\nSee registrar --help.\n",
  );
});

/** A text in the source: its file, and the text as it is written there. */
type Written = readonly [file: string, text: string];

/** What a pattern finds in the sources; its last group is a literal in its quotes. */
function written(pattern: RegExp, only: RegExp = /./): Written[] {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(src, file), 'utf8');
      if (!only.test(source)) return [];
      return [...source.matchAll(pattern)].map((match): Written => [file, (match.at(-1) ?? '').slice(1, -1)]);
    });
}

const LITERAL = /('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/.source;

it('each hint begins with a capital letter and ends with a full stop', () => {
  const hints = [
    ...written(new RegExp(`\\b(?:hint|HINT)(?::| =| \\?\\?)\\s*${LITERAL}`, 'g')),
    // The hint is the last text that these are given.
    ...written(
      new RegExp(
        `\\b(?:refusal|refused|about|wrong|unknown|unreadable)\\((?:[^;]*?),\\s*${LITERAL},?\\s*\\);`,
        'g',
      ),
      /OperatorError|errorsOf/,
    ).filter(([, text]) => /^[A-Z]/.test(text)),
  ].filter(([, text]) => text !== '' && !/\$\{.*=> $/.test(text));
  expect(hints.length).toBeGreaterThan(100);
  expect(hints.filter(([, text]) => !/^(?:[A-Z]|\$\{|registrar [a-z]+ )/.test(text))).toEqual([]);
  // Text to be copied is at the end, behind a colon, and has no full stop that would be copied too.
  expect(hints.filter(([, text]) => !/(?:[.}]|: registrar .+|: [^.]+)$/.test(text))).toEqual([]);
});

it('each error message begins with a small letter and ends without a full stop, as "registrar: " and a hint surround it', () => {
  const messages = [
    ...written(new RegExp(`errorsOf\\('[^']*'\\)\\(\\s*[^,\\n]+,\\s*${LITERAL}`, 'g')),
    ...written(new RegExp(`\\bconst message =\\s*${LITERAL};`, 'g'), /errorsOf/),
  ];
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.filter(([, text]) => /^[A-Z][a-z]/.test(text))).toEqual([]);
  expect(messages.filter(([, text]) => /\.$/.test(text)).map(([file]) => file)).toEqual([]);
});

it('a fault of the file system says what was done, to which path, why, and what to do, for every code', () => {
  for (const code of ['EACCES', 'ENOSPC', 'EROFS', 'ENOENT', 'ENOTDIR', 'EIO', 'EMFILE', 'EBUSY']) {
    const { message, hint } = ioError('write a file', '/data/x', Object.assign(new Error(code), { code }));
    expect(message).toMatch(/^could not write a file, \/data\/x: [a-z].*[^.]$/);
    expect(hint).toMatch(/^[A-Z].*\.$/);
  }
});
