import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';

const IO = { out: () => {}, err: () => {}, isTerminal: false, env: {}, cwd: '' };

async function commands(first?: string): Promise<string[]> {
  const program = await createProgram(IO, { signal: new AbortController().signal }, () => {}, first);
  return program.commands.map((command) => command.name());
}

describe('createProgram', () => {
  it('loads the command that the first argument names, and no other', async () => {
    for (const name of await commands()) expect(await commands(name)).toEqual([name]);
  });

  it.each(['--version', '-V'])('loads no command for %s', async (option) => {
    expect(await commands(option)).toEqual([]);
  });

  it.each(['--help', 'help', '--json', 'insepct', '__proto__', ''])(
    'loads all commands where %j comes first, so that help and suggestions know them',
    async (first) => {
      expect(await commands(first)).toEqual(await commands());
      expect((await commands(first)).length).toBeGreaterThan(5);
    },
  );
});
