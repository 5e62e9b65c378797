/**
 * A signal that is aborted once one of these is. Unlike `AbortSignal.any` it can be let go: that one leaves something with each of
 * them for as long as it lives, and one with a listener is never freed. A service has one signal for a year, and runs all the time.
 */
export function linkedSignal(signals: readonly AbortSignal[]) {
  const own = new AbortController();
  const abort = () => own.abort();
  /** Removes the listeners of the signal, so that the other signals keep no reference to it. */
  const unlink = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: own.signal, unlink };
}
