/** A signal that is aborted with others for as long as it is linked to them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners of the signal, so that the other signals keep no reference to it. */
  unlink(): void;
}

/**
 * A signal that is aborted once one of these is. Unlike `AbortSignal.any` it can be let go: that one leaves something with each of
 * them for as long as it lives, and one with a listener is never freed. A service has one signal for a year, and runs all the time.
 */
export function linkedSignal(signals: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  const abort = () => own.abort();
  const unlink = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: own.signal, unlink };
}
