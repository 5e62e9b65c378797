/** A linear work takes four times as long on four times the input, a quadratic one sixteen times. */
const MAX_TIMES = 10;

/** Shorter times are noise of the machine; quadratic work takes longer on thousands of characters. */
const MIN_MS = 20;

const LONG_MS = 100;

/**
 * True when the work on an input of `4 * size` takes about four times as long as that on one of `size`, however slow the
 * machine is: the shortest of several goes counts, and a suspicion is looked at again.
 */
export function isLinear(work: (size: number) => void, size: number): boolean {
  for (let look = 0; look < 4; look++) {
    const large = shortestMs(() => work(4 * size), MIN_MS);
    if (large < MIN_MS) return true;
    const small = shortestMs(() => work(size), MIN_MS / MAX_TIMES);
    if (large < MAX_TIMES * Math.max(small, MIN_MS / MAX_TIMES)) return true;
    // A long time is hardly ever chance twice.
    if (large > LONG_MS && look > 0) return false;
  }
  return false;
}

/** Starts to measure how long this process works. @returns the milliseconds since then. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    // The clock also counts what others do meanwhile, the processor's time what other threads of this process do.
    return Math.min(performance.now() - startedMs, (user + system) / 1000);
  };
}

/** @param enoughMs a time below this is not measured again: it decides. */
function shortestMs(work: () => void, enoughMs: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let go = 0; go < 3; go++) {
    const tookMs = stopwatch();
    work();
    shortest = Math.min(shortest, tookMs());
    // Chance doesn't make a long time shorter.
    if (shortest > LONG_MS || shortest < enoughMs) break;
  }
  return shortest;
}
