import type { Command } from 'commander';
import { renderStatus } from '../report/render-status.js';
import { shellWord } from '../report/shell-word.js';
import { statusOf } from '../report/status.js';
import { type CommonOptions, type Io, print } from './io.js';
import type { Finish, Interrupt } from './program.js';
import { withSession } from './session.js';

/** `registrar status`: what waits, what needs a person, quota in use, the last runs. */
export function addStatus(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('status')
    .description('what waits and until when, what needs a person, quota in use, the last runs')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      await withSession(io, options, async ({ ledger, config, paths }) => {
        const where = paths.root === io.cwd ? '' : ` --workspace ${shellWord(paths.root)}`;
        const status = statusOf(ledger, config, where);
        print(
          io,
          options,
          () => status,
          () => renderStatus(status),
        );
      });
    });
}
