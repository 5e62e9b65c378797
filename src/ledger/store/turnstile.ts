/** Lets callers through one after the other, in the order in which they came. */
export interface Turnstile {
  /** Resolves at the caller's turn, which lasts until `give`. */
  take(): Promise<void>;
  give(): void;
}

/** A turnstile that is free. */
export function turnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      return FREE;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

const FREE = Promise.resolve();
