import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { EXIT_CODES } from '../../src/domain/operator-error.js';
import { VERSION } from '../../src/version.js';
import { commandLine } from '../support/command-line.js';

const shown = (...args: string[]) => commandLine(args, { cwd: '/' });

it('help lists the commands by what they are for, each once', async () => {
  const { code, stdout } = await shown('help');
  expect(code).toBe(0);
  const headings = [...new Set(COMMANDS.map(({ group }) => `${group}:`))];
  expect(stdout.split('\n').filter((line) => headings.includes(line))).toEqual(headings);
  for (const { name } of COMMANDS)
    expect(stdout.match(new RegExp(`^ {2}${name}[ \n]`, 'gm'))).toHaveLength(1);
});

it('help shows a command as its own --help does', async () => {
  expect((await shown('help', 'check')).stdout).toBe((await shown('check', '--help')).stdout);
});

it('help explains topics that several commands share', async () => {
  const { stdout } = await shown('help', 'exit-codes');
  for (const { code, name } of EXIT_CODES) expect(stdout).toMatch(new RegExp(`\\b${code} +${name} `));
  expect((await shown('help', 'environment')).stdout).toContain('REGISTRAR_WORKSPACE');
});

it('help for an unknown command or topic is an error', async () => {
  const { code, stderr } = await shown('help', 'exit-code');
  expect([code, stderr]).toEqual([2, expect.stringContaining("there is no command or topic 'exit-code'")]);
});

it('version prints the version, as JSON too', async () => {
  expect((await shown('version')).stdout).toBe(`${VERSION}\n`);
  expect(JSON.parse((await shown('version', '--json')).stdout)).toEqual({ version: VERSION });
});
