import type { Clock } from '../../domain/clock.js';

/**
 * Reads at most once at a time and only now and then, so that it takes a bounded share of the time. A failure is not kept.
 * @param leastMs how long an answer is used again at least. @param times so many times as long as it took to read.
 */
export function cachedFor<T>(
  clock: Clock,
  { leastMs, times }: { readonly leastMs: number; readonly times: number },
  read: () => Promise<T>,
): () => Promise<T> {
  let cached: { readonly value: Promise<T>; untilMs: number } | null = null;
  return () => {
    const askedMs = clock.monotonicMs();
    if (cached !== null && askedMs < cached.untilMs) return cached.value;
    const entry = { value: read(), untilMs: Number.POSITIVE_INFINITY };
    cached = entry;
    entry.value.then(
      () => {
        const readMs = clock.monotonicMs();
        entry.untilMs = readMs + Math.max(leastMs, times * (readMs - askedMs));
      },
      () => {
        if (cached === entry) cached = null;
      },
    );
    return entry.value;
  };
}
