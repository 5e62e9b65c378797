import { readHealth } from '../actions/health/read-health.js';
import type { Health } from '../domain/health/health.js';
import { worstExit } from '../domain/operator-error.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts/serve.js';
import type { CommonOptions } from './io.js';

export async function answer({
  options,
  workspace,
  openToRead,
}: Call<typeof serve.healthcheck>): Promise<Answer> {
  const context = await openToRead();
  const health = await readHealth({ ...workspace(), ledger: context?.ledger ?? null });
  return healthAnswer(health, options, options.work === true);
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
