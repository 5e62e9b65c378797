import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { createProgram } from '../../src/cli/program.js';
import { once } from '../../src/domain/process/once.js';

const IO = { out: () => {}, err: () => {}, isTerminal: false, env: {}, cwd: '' };

describe('the help of each command shows examples', () => {
  const EXAMPLES = COMMANDS.flatMap(({ name, examples }) => examples.map((line) => ({ name, line })));

  /** The words that a shell makes of each line: one shell of all of them. */
  const wordsOf = once(() => {
    const script = EXAMPLES.map(({ line }) => `printf '%s\\0' ${line}\nprintf '\\n\\0'`).join('\n');
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    return stdout.split('\0\n\0').map((words) => words.split('\0'));
  });

  it.each(EXAMPLES.map(({ name, line }, index) => [name, line, index] as const))(
    'of %s, that it can parse: %s',
    async (name, _, index) => {
      const [program, ...words] = wordsOf()[index] ?? [];
      expect([program, words[0]]).toEqual(['registrar', name]);
      const parser = createProgram(IO);
      let isRun = false;
      parser.commands
        .find((command) => command.name() === name)
        ?.action(() => {
          isRun = true;
        });
      await parser.parseAsync(words, { from: 'user' });
      expect(isRun).toBe(true);
    },
  );

  it('all that it has, and at least two', async () => {
    const program = createProgram(IO);
    for (const { name, examples } of COMMANDS) {
      let shown = '';
      const command = program.commands.find((one) => one.name() === name);
      command?.configureOutput({ writeOut: (text) => (shown += text) }).outputHelp();
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(shown).toContain('\nExamples:\n');
      for (const line of examples) expect(shown).toContain(`\n  ${line}\n`);
    }
  });

  it('where people look for them, below the options', async () => {
    let shown = '';
    const io = { ...IO, out: (text: string) => (shown += text) };
    const parser = createProgram(io);
    await expect(parser.parseAsync(['check', '--help'], { from: 'user' })).rejects.toThrow();
    expect(shown).toMatch(
      /--source[\s\S]*\nExamples:\n {2}registrar check completions\.csv --source academy\n {2}registrar check .*\n$/,
    );
  });
});
