import type { Clock } from '../../domain/clock.js';

/** Counts the requests of each caller. */
export interface RateLimit {
  /** Counts one more. `isOver`: it is one too many; `resetS`: the seconds until the count starts again; `headers` say both. */
  count(caller: string): {
    readonly isOver: boolean;
    readonly resetS: number;
    readonly headers: Readonly<Record<string, string>>;
  };
}

const WINDOW_MS = 60_000;
/** Some hundred kilobytes. */
const MAX_CALLERS = 5_000;

/** Counts in windows of a minute, in this process. @param name is shown to programs. @param max the requests of a caller in a window. */
export function rateLimit(clock: Clock, name: string, max: number): RateLimit {
  const counts = new Map<string, number>();
  let endsAtMs = 0;
  return {
    count(caller) {
      const nowMs = clock.monotonicMs();
      if (nowMs >= endsAtMs || counts.size >= MAX_CALLERS) {
        counts.clear();
        endsAtMs = nowMs + WINDOW_MS;
      }
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count);
      const resetS = Math.ceil((endsAtMs - nowMs) / 1_000);
      return {
        isOver: count > max,
        resetS,
        headers: {
          'ratelimit-policy': `"${name}";q=${max};w=${WINDOW_MS / 1_000}`,
          ratelimit: `"${name}";r=${Math.max(0, max - count)};t=${resetS}`,
        },
      };
    },
  };
}
