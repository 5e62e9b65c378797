import type { EnvironmentConfig } from '../../config/schema.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import type { WaitingQueue } from '../../ledger/books/queues.js';
import { localTime } from '../text/local-time.js';
import { estimatedMs, inWords } from './estimate.js';
import { isDown, type ReportedOutage } from './outages.js';

/** What waits for one environment, who is at it, and how long that takes. */
export interface Queue extends WaitingQueue {
  /** What delivering takes at its quota; null for an environment that registrar.yaml doesn't have. */
  readonly estimatedMs: number | null;
  /** ISO time at which it would end if it began now; null where nothing waits, and while it can't be used. */
  readonly estimatedEnd: string | null;
}

/** What waits for one environment, with how long it takes from a moment on. */
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

/** Who delivers what waits, and when, in a sentence or two. */
export function queueWords({ environment, waiting, estimatedMs: ms, estimatedEnd, pushedBy }: Queue): string {
  const rows = `${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for ${environment}`;
  const them = agreeing(waiting, 'it', 'them');
  if (ms === null) return `${rows}, which registrar.yaml doesn't have: put the environment back.`;
  if (estimatedEnd === null) {
    return `${rows}: ${inWords(ms)} of delivering once it can be used; the first run that can use it delivers ${them}.`;
  }
  const until = localTime(msFromIso(estimatedEnd));
  if (pushedBy?.takesAll)
    return `${rows}: process ${pushedBy.pid} delivers ${them}, until ${until} or so (${inWords(ms)}).`;
  const now = pushedBy === null ? 'Nobody delivers now' : `Process ${pushedBy.pid} delivers a rerun alone`;
  return `${rows}: ${inWords(ms)} of delivering, until ${until} if it begins now. ${now}; the next registrar run delivers ${them}.`;
}
