import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkFile, checkText } from './check-file.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { readWorkspace, sourceNamed } from './session.js';
import { wholeNumber } from './whole-number.js';

interface CheckOptions extends CommonOptions {
  readonly source: string;
  readonly limit: number;
}

/** `registrar check`: a dry run of one file. */
export function addCheck(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('check <file>')
    .description('dry run: what staging would make of a file; writes nothing, sends nothing')
    .requiredOption('--source <name>', 'the source whose settings apply')
    .option('--limit <n>', 'issues and requests to show', wholeNumber, 20)
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CheckOptions>();
      const workspace = readWorkspace(io, options, 'unused');
      const source = sourceNamed(workspace.config, options.source);
      const checked = await checkFile(resolve(io.cwd, file), workspace, source, options.limit);
      const { seen, refused: _refused, sheetsLeft: _sheetsLeft, isClean, ...all } = checked;
      print(
        io,
        options,
        () => ({ ...seen, ...all }),
        () => checkText(checked, widthOf(io)),
      );
      if (!isClean) finish('attention');
    });
}
