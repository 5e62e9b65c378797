import { readHealth } from '../actions/health/read-health.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts/serve.js';
import { healthAnswer } from './read-status.js';

export async function answer({
  options,
  workspace,
  openToRead,
}: Call<typeof serve.healthcheck>): Promise<Answer> {
  const context = await openToRead();
  const health = await readHealth({ ...workspace(), ledger: context?.ledger ?? null });
  return healthAnswer(health, options, options.work === true);
}
