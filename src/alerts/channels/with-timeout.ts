import type { Clock } from '../../domain/clock.js';
import { ChannelError } from './channel-error.js';

export interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly stop: AbortSignal;
}

/** Runs `work`, and cancels it through its signal after `limitMs` or when `stop` is aborted. */
export async function withTimeout<T>(
  { clock, limitMs, stop }: TimeLimit,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const over = new AbortController();
  const timeIsUp = clock.sleep(limitMs, AbortSignal.any([done.signal, stop])).then(() => {
    if (done.signal.aborted) return new Promise<never>(() => {});
    over.abort();
    throw new ChannelError(stop.aborted ? 'was cancelled' : `took longer than ${limitMs / 1_000} s`);
  });
  try {
    return await Promise.race([work(over.signal), timeIsUp]);
  } finally {
    done.abort();
  }
}
