import { readHealth } from '../actions/health/read-health.js';
import { status } from '../actions/status.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Status } from '../report/status/status.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer, Call } from './command.js';
import type { statusFacts } from './facts/look.js';

/** Carries `registrar status` out. */
export async function answer(call: Call<typeof statusFacts>): Promise<Answer> {
  if (call.options.health) return healthAnswer(call);
  const found = await readStatus(call);
  return { document: () => found, text: (columns) => renderStatus(found, columns) };
}

/** Answers `--health`: exit code 0 only where all is healthy. Findings are printed on stderr, with --quiet too. */
async function healthAnswer({ options, open }: Call<typeof statusFacts>): Promise<Answer> {
  const health = await readHealth(await open());
  const text = healthText(health);
  const isHealthy = health.state === 'healthy';
  return {
    document: () => health,
    text: () => text,
    ...(options.quiet && !options.json && !isHealthy ? { notes: text } : {}),
    ...(isHealthy ? {} : { exit: health.exit }),
  };
}

/** How things stand, with commands for the folder that the command was given in. */
export async function readStatus({ io, open }: Pick<Call, 'io' | 'open'>): Promise<Status> {
  const context = await open();
  const { root } = context.paths;
  return status(context, { workspace: root === io.cwd ? null : root });
}
