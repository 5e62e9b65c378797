import type { Logger } from 'pino';
import { isLate } from '../report/status/delivery-estimate.js';
import { createPauseLog } from './pause-log.js';
import type { Progress } from './watching.js';

/** Reports a run in lines of the log. */
export function logProgress(logger: Logger): Progress {
  const pauses = createPauseLog((facts, message) => logger.warn(facts, message));
  return {
    onStage(event) {
      // A refusal's sentence quotes values of the file, so it stays out of the log; the report has it.
      const { kind, ...rest } = event.kind === 'refused' ? { ...event, sentence: undefined } : event;
      if (kind === 'refused' || kind === 'left') logger.warn(rest, `drop ${kind}`);
      else if (kind === 'published' || kind === 'repeated') logger.info(rest, `drop ${kind}`);
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
