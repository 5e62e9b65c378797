/** `AbortSignal.any` can't be let go, and a service has one signal for a year. */
export function linkedSignal(signals: readonly AbortSignal[]) {
  const own = new AbortController();
  const abort = () => own.abort();
  const unlink = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: own.signal, unlink };
}
