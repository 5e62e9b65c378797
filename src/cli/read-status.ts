import { status } from '../actions/status.js';
import type { Health } from '../domain/health/health.js';
import { worstExit } from '../domain/operator-error.js';
import type { Status } from '../report/status/status.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer, Call } from './command.js';
import type { CommonOptions } from './io.js';

/** The status, with commands for the folder that the command was given in. */
export async function readStatus({ io, open }: Pick<Call, 'io' | 'open'>): Promise<Status> {
  const context = await open();
  const { root } = context.paths;
  return status(context, { workspace: root === io.cwd ? null : root });
}

/** Findings are printed on stderr, with --quiet too. @param isStrict true: what is degraded is a failure too. */
export function healthAnswer(health: Health, options: CommonOptions, isStrict: boolean): Answer {
  const failing = health.findings.filter(({ state }) => isStrict || state === 'failed');
  const text = healthText(health);
  return {
    document: () => health,
    text: () => text,
    ...(options.quiet && !options.json && failing.length > 0 ? { notes: text } : {}),
    exit: worstExit(failing.map(({ exit }) => exit)),
  };
}
