import type { EnvironmentConfig } from '../config/schema.js';
import type { AnswerPolicy } from '../domain/delivery/answer.js';

export function answerPolicy(
  config: EnvironmentConfig,
  random: () => number,
  spendTries: boolean,
): AnswerPolicy {
  return {
    maxTries: config.retry.tries,
    maxResends: config.resends,
    onUnknown: config.unknown,
    backOffMs: (tries) => backOffMs(config.retry, tries, random()),
    spendTries,
    canary: config.canary,
  };
}

/**
 * The wait in milliseconds after the given number of spent tries. It doubles with each try, and is spread by up to a
 * quarter either way, so that rows that failed together don't come back together.
 * @param random a number from 0 to 1.
 */
export function backOffMs(
  policy: { readonly firstMs: number; readonly longestMs: number },
  tries: number,
  random: number,
): number {
  const doubled = policy.firstMs * 2 ** Math.min(Math.max(tries, 1) - 1, 30);
  return Math.round(Math.min(doubled, policy.longestMs) * (0.75 + random / 2));
}
