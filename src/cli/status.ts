import type { Command } from 'commander';
import { healthOf } from '../report/health.js';
import { renderStatus } from '../report/render-status.js';
import { shellWord } from '../report/shell-word.js';
import { statusOf } from '../report/status.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import type { Finish, Interrupt } from './program.js';
import { type Session, withSession } from './session.js';

interface StatusOptions extends CommonOptions {
  readonly health?: boolean;
}

/** `registrar status`: what waits, what needs a person, quota in use, the last runs. */
export function addStatus(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('status')
    .description('what waits and until when, what needs a person, quota in use, the last runs')
    .option('--health', 'say only whether work gets done, by the exit code too; for health checks')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<StatusOptions>();
      await withSession(io, options, async (session) => {
        if (options.health) return showHealth(io, options, session, finish);
        const { ledger, config, paths, clock } = session;
        const where = paths.root === io.cwd ? '' : ` --workspace ${shellWord(paths.root)}`;
        const { sources } = config;
        const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
        const status = statusOf(ledger, config, untaken, where);
        print(
          io,
          options,
          () => status,
          () => renderStatus(status, widthOf(io)),
        );
      });
    });
}

/** Whether work gets done: 0 only then. What is wrong is said with --quiet too, on stderr. */
async function showHealth(
  io: Io,
  options: CommonOptions,
  { ledger, config }: Session,
  finish: Finish,
): Promise<void> {
  const { firingsBetween } = await import('../schedule/firings.js');
  const health = healthOf(ledger, config, firingsBetween);
  const sentences = health.problems.map(({ message }) => `${message}\n`).join('');
  print(
    io,
    options,
    () => health,
    () => (health.healthy ? 'Work gets done.\n' : sentences),
  );
  if (options.quiet && !options.json && !health.healthy) io.err(sentences);
  if (!health.healthy) finish(health.exit);
}
