import Bottleneck from 'bottleneck';
import PQueue from 'p-queue';
import pThrottle from 'p-throttle';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';

/** Calls `task` when the limiter allows it. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Libraries that limit a rate, each set up by its documentation for so many calls per period; where a library has a
 * stricter mode, that mode too. Each call makes a new limiter, because its timers belong to the current clock.
 */
export const RATE_LIMITERS: Readonly<Record<string, (requests: number, perMs: number) => Limiter>> = {
  'p-throttle': (limit, interval) => calling(pThrottle({ limit, interval })),
  'p-throttle strict': (limit, interval) => calling(pThrottle({ limit, interval, strict: true })),
  'p-queue': (intervalCap, interval) => queueing(new PQueue({ intervalCap, interval })),
  'p-queue strict': (intervalCap, interval) => queueing(new PQueue({ intervalCap, interval, strict: true })),
  // Rounded up: a timer takes whole milliseconds, and 857 instead of 857.14 would be one request too many in a minute.
  'bottleneck minTime': (requests, perMs) =>
    scheduling(new Bottleneck({ minTime: Math.ceil(perMs / requests) })),
  'bottleneck reservoir': (requests, perMs) =>
    scheduling(
      new Bottleneck({
        reservoir: requests,
        reservoirRefreshAmount: requests,
        reservoirRefreshInterval: perMs,
      }),
    ),
  'rate-limiter-flexible': (points, perMs) => {
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points, duration: perMs / 1_000 }));
    return async (task) => {
      await queue.removeTokens(1);
      return task();
    };
  },
};

function calling(throttle: ReturnType<typeof pThrottle>): Limiter {
  // One throttled function for all: the limit is each function's own.
  const call = throttle((task: () => Promise<unknown>) => task());
  return <T>(task: () => Promise<T>) => call(task) as Promise<T>;
}

function queueing(queue: PQueue): Limiter {
  return (task) => queue.add(task);
}

function scheduling(bottleneck: Bottleneck): Limiter {
  return (task) => bottleneck.schedule(task);
}
