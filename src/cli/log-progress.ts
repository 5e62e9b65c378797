import type { Logger } from 'pino';
import type { RunListener } from '../actions/run/request.js';
import { isLate } from '../report/status/delivery-estimate.js';

export interface Progress extends Pick<RunListener, 'onStage' | 'onEstimate' | 'onPush'> {
  end(): void;
}

export function logProgress(logger: Logger): Progress {
  /** Where another program uses the client id too, a push is paused every minute: that would fill the log. */
  const paused = new Set<string>();
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
      if (kind === 'paused') {
        const about = `${event.environment}: ${event.reason}`;
        if (paused.has(about)) logger.debug(rest, 'pushing paused again');
        else logger.warn(rest, 'pushing paused');
        paused.add(about);
      } else if (kind === 'usable') logger.info(rest, 'the environment can be used again');
      else if (kind === 'canary') logger.warn(rest, 'drop stopped: its first rows were refused');
      else if (kind === 'noticed') logger.warn(rest, 'pushing: noticed');
      else if (kind === 'answered') logger.debug(rest, 'answered');
      else logger.info(rest, `pushing: ${kind}`);
    },
    end: () => {},
  };
}
