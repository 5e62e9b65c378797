import type { EnvironmentConfig } from '../../config/schema.js';
import type { ReportedOutage } from '../../documents/common.js';
import type { Queue, WaitingQueue } from '../../documents/report.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { inWords } from '../../domain/text/duration-words.js';
import { localTime } from '../text/local-time.js';
import { estimatedMs } from './estimate.js';
import { isDown } from './outages.js';

/** The rows that wait for one environment, with how long their delivery takes from the ISO time `at` on. */
export function queueOf(
  { environment, waiting, pushedBy }: WaitingQueue,
  config: EnvironmentConfig | undefined,
  outages: readonly ReportedOutage[],
  at: string,
): Queue {
  const lasts = config === undefined ? null : estimatedMs(waiting, config);
  const isOpen = waiting === 0 || lasts === null || isDown(outages, environment);
  return {
    environment,
    waiting,
    estimatedMs: lasts,
    estimatedEnd: isOpen ? null : isoFromMs(msFromIso(at) + lasts),
    pushedBy,
  };
}

/** Who delivers the waiting rows, and when, in a sentence or two. */
export function queueWords({ environment, waiting, estimatedMs: ms, estimatedEnd, pushedBy }: Queue): string {
  const rows = `${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for ${environment}`;
  const them = agreeing(waiting, 'it', 'them');
  if (ms === null) return `${rows}, which registrar.yaml doesn't have: put the environment back.`;
  if (estimatedEnd === null) {
    return `${rows}: ${inWords(ms)} of delivering once it can be used; the first run that can use it delivers ${them}.`;
  }
  const until = localTime(estimatedEnd);
  if (pushedBy?.takesAll)
    return `${rows}: process ${pushedBy.pid} delivers ${them}, until ${until} or so (${inWords(ms)}).`;
  const now =
    pushedBy === null ? 'No process delivers now' : `Process ${pushedBy.pid} delivers a rerun alone`;
  return `${rows}: ${inWords(ms)} of delivering, until ${until} if it begins now. ${now}; the next registrar run delivers ${them}.`;
}
