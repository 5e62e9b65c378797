/** Lets callers through in the order in which they came, so many at a time. */
export type Turnstile = ReturnType<typeof turnstile>;

/** A turnstile that is free. @param places how many callers have their turn at once. */
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
