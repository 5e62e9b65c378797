import type { Command } from 'commander';
import { durationMs } from '../config/duration.js';
import { OperatorError } from '../domain/operator-error.js';
import { ATTENTION_STATES } from '../ledger/attention.js';
import { type RunResult, run } from '../pipeline.js';
import { renderJson } from '../report/render-json.js';
import { renderTerminal } from '../report/render-terminal.js';
import { type CommonOptions, type Io, print } from './io.js';
import { createLogger } from './logger.js';
import type { Finish, Interrupt } from './program.js';
import { createProgress } from './progress.js';
import { sourceNamed, withSession } from './session.js';
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
    .option('--confirm <source...>', 'these sources may go on under settings that give rows other keys')
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
        const logger = createLogger(options);
        const progress = createProgress(io, options, logger, session.config.environments);
        const result = await run({
          ...session,
          trigger: io.isTerminal ? 'manual' : 'cron',
          sources,
          confirmed: new Map(confirmed),
          push: options.push,
          interrupt: interrupt.signal,
          maxDurationMs,
          onStage: progress.onStage,
          onPush: progress.onPush,
        }).finally(() => progress.end());
        tellPushes(io, options, result);
        print(
          io,
          options,
          () => runDocument(result),
          () => runText(result, session.paths.root, io.cwd),
        );
        finish(result.exit);
      });
    });
}

/** `run --json`. */
export function runDocument(result: RunResult): Record<string, unknown> {
  return {
    run: result.runId,
    exit: result.exit,
    ...renderJson(result.report),
    reportFolder: result.reportFolder,
    pushes: result.pushes,
    troubles: result.troubles.map(({ message, hint }) => ({ message, hint })),
  };
}

/** What a person reads after a run: the report, where it lies, and the command for what needs a person. */
export function runText(result: RunResult, workspace: string, cwd: string): string {
  if (result.reportFolder === null) return 'Nothing to do: no new file, and nothing waits.\n';
  const lines = [renderTerminal(result.report), `Report: ${result.reportFolder}`];
  const again = ATTENTION_STATES.filter((state) => result.report.states[state] > 0);
  if (again.length > 0) {
    const where = workspace === cwd ? '' : ` --workspace ${workspace}`;
    lines.push(
      `Once the causes are mended: registrar rerun --state ${again.join(',')} --run ${result.runId}${where}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** What people must know about environments that weren't emptied, whatever they asked to see. */
export function tellPushes(io: Io, options: CommonOptions, result: RunResult): void {
  for (const trouble of result.troubles) io.err(`${trouble.message}. ${trouble.hint}\n`);
  for (const [environment, push] of Object.entries(result.pushes)) {
    if (push.kind === 'elsewhere' && !options.quiet) {
      io.err(
        `Process ${push.holder.pid} is pushing to ${environment}; it delivers what this run has staged as well.\n`,
      );
    }
    if (push.kind === 'unavailable') {
      io.err(
        `${environment} is unavailable: ${push.reason}. Nothing is lost: rows wait, and the next run goes on.\n`,
      );
    }
  }
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
