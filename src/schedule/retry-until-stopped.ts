import type { JobContext, ServiceListener } from './service-event.js';

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
    worked() {
      nextMs = firstMs;
    },
  };
}

/**
 * Repeats a job's work until `stop` is aborted. After an error it is tried again, ever more seldom.
 * @param job names the job in the log.
 * @param work returns for how many milliseconds to wait.
 * @param wakes returns a signal that ends the next wait. It is called before `work`, so that nothing is missed meanwhile.
 */
export async function repeatUntilStopped(
  job: string,
  work: () => Promise<number>,
  { clock, stop, listen }: JobContext,
  wakes: () => AbortSignal = () => stop,
): Promise<void> {
  const retry = retryBackOff(job, listen);
  while (!stop.aborted) {
    const wake = wakes();
    let waitMs: number;
    try {
      waitMs = await work();
      retry.worked();
    } catch (error) {
      waitMs = retry.failed(error);
    }
    await clock.sleep(waitMs, wake);
  }
}

/**
 * Tries what a service needs at its start until it succeeds, ever more seldom; null where `stop` was aborted before.
 * @param waitsFor false: such an error is thrown, because it would be the same the next time.
 */
export async function retryUntilStopped<T>(
  attempt: () => Promise<T>,
  { clock, stop, listen }: JobContext,
  waitsFor = (_error: unknown) => true,
): Promise<T | null> {
  const retry = retryBackOff('start', listen);
  while (!stop.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!waitsFor(error)) throw error;
      await clock.sleep(retry.failed(error), stop);
    }
  }
  return null;
}

const FIRST_RETRY_MS = 1_000;

/** The service continues within ten seconds once a disk has room, a lock is released or a folder can be read. */
const LONGEST_RETRY_MS = 8_000;

function retryBackOff(job: string, listen: ServiceListener) {
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
    worked() {
      waits.worked();
      failures = 0;
      nextReport = 1;
    },
  };
}
