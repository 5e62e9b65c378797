import { readHealth } from '../actions/health/read-health.js';
import { renderStatus } from '../report/status/render-status.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts/look.js';
import { readStatus } from './read-status.js';

export async function answer(call: Call<typeof look.status>): Promise<Answer> {
  if (call.options.health) return healthAnswer(call);
  const status = await readStatus(call);
  return { document: () => status, text: (columns) => renderStatus(status, columns) };
}

/** Answers `--health`: exit code 0 only where all is healthy. Findings are printed on stderr, with --quiet too. */
async function healthAnswer({ options, open }: Call<typeof look.status>): Promise<Answer> {
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
