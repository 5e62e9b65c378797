import type { Logger } from 'pino';
import { isLate } from '../report/status/delivery-estimate.js';
import type { Progress, PushEvent } from './watching.js';

export function logProgress(logger: Logger): Progress {
  const pauses = pauseLog(logger);
  return {
    onStage(event) {
      // A refusal's sentence quotes values of the file, so it stays out of the log; the report has it.
      const { kind, ...rest } = event.kind === 'refused' ? { ...event, sentence: undefined } : event;
      if (kind === 'refused' || kind === 'left') logger.warn(rest, `drop ${kind}`);
      else if (kind === 'published' || kind === 'repeated' || kind === 'corrected')
        logger.info(rest, `drop ${kind}`);
      else logger.debug(rest, `staging: ${kind}`);
    },
    onEstimate(estimate) {
      if (isLate(estimate)) logger.warn(estimate, 'delivering: the deadline will be missed');
      else logger.info(estimate, 'delivering: estimated');
    },
    onPush(event) {
      const { kind, ...rest } = event;
      if (kind === 'paused') pauses.paused(event);
      else if (kind === 'usable') logger.info(rest, 'the environment can be used again');
      else if (kind === 'canary') logger.warn(rest, 'drop stopped: its first rows were refused');
      else if (kind === 'noticed') logger.warn(rest, 'pushing: noticed');
      else if (kind === 'answered') logger.debug(rest, 'answered');
      else logger.info(rest, `pushing: ${kind}`);
      if (kind === 'end') pauses.ended(event.environment);
    },
    end: () => {},
  };
}

/**
 * Keeps pauses from filling the log: where another program uses the client id too, it is paused every minute. Logs the first
 * pause of a push for each reason, and at its end how many there were and their total time, where there were several.
 */
function pauseLog(logger: Logger) {
  const counted = new Map<string, { environment: string; reason: string; pauses: number; forMs: number }>();
  return {
    paused({ environment, reason, forMs }: PushEvent & { readonly kind: 'paused' }) {
      const key = JSON.stringify([environment, reason]);
      const earlier = counted.get(key);
      if (earlier === undefined) logger.warn({ environment, reason, forMs }, 'pushing paused');
      const { pauses, forMs: beforeMs } = earlier ?? { pauses: 0, forMs: 0 };
      counted.set(key, { environment, reason, pauses: pauses + 1, forMs: beforeMs + forMs });
    },
    ended(environment: string) {
      for (const [key, facts] of counted) {
        if (facts.environment !== environment) continue;
        if (facts.pauses > 1) logger.warn(facts, 'pushing was paused again');
        counted.delete(key);
      }
    },
  };
}
