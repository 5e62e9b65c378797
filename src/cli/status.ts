import { readHealth } from '../actions/health/read-health.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts/look.js';
import { healthAnswer, readStatus } from './read-status.js';

export async function answer(call: Call<typeof look.status>): Promise<Answer> {
  const { options } = call;
  if (options.health) return healthAnswer(await readHealth(await call.open()), options, true);
  const read = await readStatus(call);
  return { document: () => read, text: (columns) => renderStatus(read, columns) };
}
