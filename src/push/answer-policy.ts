import type { EnvironmentConfig } from '../config/schema.js';
import type { AnswerPolicy } from '../domain/delivery/answer.js';
import { backOffMs } from './back-off.js';

/** What the environment's configuration says about answers. */
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
