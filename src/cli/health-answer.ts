import type { Health } from '../domain/health/health.js';
import { worstExit } from '../domain/operator-error.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer } from './command.js';
import type { CommonOptions } from './io.js';

/**
 * Findings are printed on stderr, with --quiet too.
 * @param isStrict true: what is degraded is a failure too.
 */
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
