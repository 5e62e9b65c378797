/** Waits that grow while something fails, in milliseconds. */
export interface BackOff {
  /** The wait after one more failure. */
  failed(): number;
  /** It works again. */
  worked(): void;
}

/** Doubles from the first to the longest wait. */
export function backOff(firstMs: number, longestMs: number): BackOff {
  let nextMs = firstMs;
  return {
    failed() {
      const ms = nextMs;
      nextMs = Math.min(longestMs, nextMs * 2);
      return ms;
    },
    worked() {
      nextMs = firstMs;
    },
  };
}
