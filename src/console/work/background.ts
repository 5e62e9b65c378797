/** Work that goes on after its request was answered. `end` ends all of it early. @param onFailure called with the work's name where it fails. */
export function background(onFailure: (error: unknown, name: string) => void) {
  const over = new AbortController();
  const going = new Set<Promise<void>>();
  return {
    stop: over.signal,
    begin(name: string, work: (stop: AbortSignal) => Promise<unknown>) {
      const one = work(over.signal).then(
        () => {},
        (error) => onFailure(error, name),
      );
      going.add(one);
      void one.finally(() => going.delete(one));
    },
    end: () => over.abort(),
    async ended() {
      await Promise.all(going);
    },
  };
}
