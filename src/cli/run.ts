import { plan } from '../actions/run/plan.js';
import type { RunRequest } from '../actions/run/request.js';
import { sourceNamed } from '../actions/source-named.js';
import { durationMs } from '../config/duration.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Answer, Call, Command } from './command.js';
import type { CommonOptions } from './io.js';
import { runPlanText } from './run-plan-text.js';
import { showRun } from './show-run.js';

interface RunOptions extends CommonOptions {
  readonly source?: readonly string[];
  readonly confirm?: readonly string[];
  readonly push: boolean;
  readonly maxDuration?: string;
  readonly dryRun?: boolean;
}

/** `registrar run`: take in, push, report. */
export const runCommand: Command<RunOptions> = {
  name: 'run',
  description: 'take in what lies in the inboxes, deliver it, report; for cron',
  options: [
    { flags: '--source <name...>', description: 'only these sources' },
    {
      flags: '--confirm <source...>',
      description:
        'these sources may go on under settings that give rows other keys, or headers that map otherwise',
    },
    { flags: '--no-push', description: 'take in and stage only' },
    {
      flags: '--max-duration <time>',
      description: 'begin no request after this long, such as 50m; what is left waits',
    },
    { flags: '--dry-run', description: 'only say what would be taken in and delivered' },
  ],
  examples: [
    'registrar run',
    'registrar run --source academy --max-duration 50m --quiet   # for cron',
    'registrar run --dry-run',
  ],
  async run(call) {
    const request = requestOf(call);
    return call.options.dryRun ? planAnswer(call, request) : showRun(call, await call.open(), request);
  },
};

function requestOf({ io, options, workspace }: Call<RunOptions>): RunRequest {
  const maxDurationMs = options.maxDuration === undefined ? null : parseDuration(options.maxDuration);
  const known = (names: readonly string[] = []) =>
    names.map((name) => sourceNamed(workspace(credentialsFor(options)).config, name).name);
  return {
    trigger: io.isTerminal ? 'manual' : 'cron',
    sources: known(options.source),
    confirmed: known(options.confirm),
    intake: true,
    push: options.push,
    maxDurationMs,
  };
}

/** Whoever only wants to know what would happen asks no platform. */
function credentialsFor({ dryRun }: RunOptions): 'unused' | undefined {
  return dryRun ? 'unused' : undefined;
}

async function planAnswer(
  { options, workspace, openToRead }: Call<RunOptions>,
  request: RunRequest,
): Promise<Answer> {
  const credentials = credentialsFor(options);
  const context = openToRead(credentials) ?? { ...workspace(credentials), ledger: null };
  const planned = await plan(context, request);
  return { document: () => ({ dryRun: true, ...planned }), text: () => runPlanText(planned) };
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
