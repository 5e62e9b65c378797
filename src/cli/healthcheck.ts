import { readHealth } from '../actions/health/read-health.js';
import { worstExit } from '../domain/operator-error.js';
import { healthText } from '../report/words/health-words.js';
import type { Call } from './command.js';
import type { serve } from './facts.js';

/** Findings are printed on stderr, with --quiet too. */
export async function answer({ options, workspace, openReadOnly }: Call<typeof serve.healthcheck>) {
  const context = await openReadOnly();
  const health = await readHealth({ ...workspace(), ledger: context?.ledger ?? null });
  const failing = health.findings.filter(({ state }) => options.work === true || state === 'failed');
  const text = healthText(health);
  return {
    document: () => health,
    text: () => text,
    ...(options.quiet && !options.json && failing.length > 0 ? { notes: text } : {}),
    exit: worstExit(failing.map(({ exit }) => exit)),
  };
}
