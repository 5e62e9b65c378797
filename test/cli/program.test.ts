import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { createProgram } from '../../src/cli/program.js';

const IO = { out: () => {}, err: () => {}, isTerminal: false, env: {}, cwd: '' };

describe('the help of each command shows examples', () => {
  /** The words that a shell makes of a line. */
  const wordsOf = (line: string) =>
    spawnSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .stdout.split('\0')
      .slice(0, -1);

  it.each(COMMANDS.flatMap(({ name, examples }) => examples.map((line) => [name, line] as const)))(
    'of %s, that it can parse: %s',
    async (name, line) => {
      const [program, ...words] = wordsOf(line);
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
