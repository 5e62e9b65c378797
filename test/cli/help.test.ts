import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
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

it('help for an unknown command is an error, and lists the commands', async () => {
  const { code, stderr } = await shown('help', 'exit-code');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: registrar')]);
});

it('version prints the version, as JSON too', async () => {
  expect((await shown('version')).stdout).toBe(`${VERSION}\n`);
  expect(JSON.parse((await shown('version', '--json')).stdout)).toEqual({ version: VERSION });
});
