import type { Clock } from '../../domain/clock.js';
import { ChannelError } from './channel-error.js';

/** What bounds a telling. */
export interface Bounds {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Aborted to give the telling up. */
  readonly stop: AbortSignal;
}

/** Does some work, and gives it up when its time is up or `stop` is aborted. @param work is told so by its signal. */
export async function within<T>(
  { clock, limitMs, stop }: Bounds,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const over = new AbortController();
  const giveUp = (why: string) => {
    over.abort();
    return new ChannelError(why);
  };
  const ended = AbortSignal.any([done.signal, stop]);
  const timeIsUp = clock.sleep(limitMs, ended).then(() => {
    if (done.signal.aborted) return new Promise<never>(() => {});
    throw giveUp(stop.aborted ? 'was given up' : `took longer than ${limitMs / 1_000} s`);
  });
  try {
    return await Promise.race([work(over.signal), timeIsUp]);
  } finally {
    done.abort();
  }
}
