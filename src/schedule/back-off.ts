import type { ServiceListener } from './service-event.js';

/** Doubles from the first to the longest wait. */
export function backOff(firstMs: number, longestMs: number) {
  let nextMs = firstMs;
  return {
    /** The wait after one more failure. */
    failed() {
      const ms = nextMs;
      nextMs = Math.min(longestMs, nextMs * 2);
      return ms;
    },
    /** It works again. */
    worked() {
      nextMs = firstMs;
    },
  };
}

const FIRST_RETRY_MS = 1_000;

/** The service goes on within ten seconds once a disk has room, a lock is released or a folder can be read. */
const LONGEST_RETRY_MS = 8_000;

/** @param job names the job in the log. */
export function retryBackOff(job: string, listen: ServiceListener) {
  const waits = backOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  let failures = 0;
  let nextReport = 1;
  return {
    /** The wait after one more failure. The 1st, 2nd, 4th, 8th … failure in a row is reported, so that a night of them fills no log. */
    failed(error: unknown) {
      const againMs = waits.failed();
      failures += 1;
      if (failures === nextReport) {
        nextReport *= 2;
        listen({ kind: 'failed', job, error, againMs });
      }
      return againMs;
    },
    /** It works again. */
    worked() {
      waits.worked();
      failures = 0;
      nextReport = 1;
    },
  };
}
