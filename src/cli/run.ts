import type { Command } from 'commander';
import { durationMs } from '../config/duration.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Finish, Interrupt } from './command.js';
import type { CommonOptions, Io } from './io.js';
import { sourceNamed, withSession } from './session.js';
import { showRun } from './show-run.js';
import { whoDecides } from './who-decides.js';

interface RunOptions extends CommonOptions {
  readonly source?: readonly string[];
  readonly confirm?: readonly string[];
  readonly push: boolean;
  readonly maxDuration?: string;
}

/** `registrar run`: take in, push, report. */
export function addRun(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('run')
    .description('take in what lies in the inboxes, deliver it, report; for cron')
    .option('--source <name...>', 'only these sources')
    .option(
      '--confirm <source...>',
      'these sources may go on under settings that give rows other keys, or headers that map otherwise',
    )
    .option('--no-push', 'take in and stage only')
    .option('--max-duration <time>', 'begin no request after this long, such as 50m; what is left waits')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const maxDurationMs = options.maxDuration === undefined ? null : parseDuration(options.maxDuration);
      await withSession(io, options, async (session) => {
        const sources = (options.source ?? []).map((name) => sourceNamed(session.config, name).name);
        const confirmed = (options.confirm ?? []).map(
          (name) => [sourceNamed(session.config, name).name, whoDecides(io)] as const,
        );
        await showRun(io, options, session, interrupt, finish, {
          trigger: io.isTerminal ? 'manual' : 'cron',
          sources,
          who: whoDecides(io),
          confirmed: new Map(confirmed),
          push: options.push,
          maxDurationMs,
        });
      });
    });
}

function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (!Number.isNaN(ms) && ms > 0) return ms;
  throw new OperatorError({
    operation: 'read the options',
    subject: '--max-duration',
    message: `--max-duration "${text}" is not a length of time`,
    hint: 'Write it as 90s, 50m or 2h.',
  });
}
