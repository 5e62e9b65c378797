/** Doubles from the first to the longest wait. */
export function backOff(firstMs: number, longestMs: number) {
  let nextMs = firstMs;
  return {
    /** The wait after one more failure. */
    failed() {
      const ms = nextMs;
      nextMs = Math.min(longestMs, nextMs * 2);
      return ms;
    },
    /** It works again. */
    worked() {
      nextMs = firstMs;
    },
  };
}
