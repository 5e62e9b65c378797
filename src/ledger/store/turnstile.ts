/** A semaphore that admits callers in the order in which they came. */
export type Turnstile = ReturnType<typeof turnstile>;

/** Returns a free turnstile. @param places how many callers it admits at once. */
export function turnstile(places = 1) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    /** Resolves at the caller's turn, which lasts until `give`. */
    take(): Promise<void> {
      if (taken === places) return new Promise((resolve) => waiting.push(resolve));
      taken += 1;
      return FREE;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}

const FREE = Promise.resolve();
