/** A semaphore that admits callers in the order in which they came. */
export type Semaphore = ReturnType<typeof createSemaphore>;

/** @param limit how many callers it admits at once. */
export function createSemaphore(limit = 1) {
  const waiting: (() => void)[] = [];
  let acquired = 0;
  return {
    /** Resolves at the caller's turn, which lasts until `release`. */
    acquire(): Promise<void> {
      if (acquired === limit) return new Promise((resolve) => waiting.push(resolve));
      acquired += 1;
      return FREE;
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else acquired -= 1;
    },
  };
}

const FREE = Promise.resolve();
