/** Work that goes on after its request was answered. */
export interface Background {
  /** Aborted when the console ends. */
  readonly stop: AbortSignal;
  begin(name: string, work: (stop: AbortSignal) => Promise<unknown>): void;
  /** Ends all work early. */
  end(): void;
  /** Resolves once all of it has ended. */
  ended(): Promise<void>;
}

/** @param onFailure called with the work's name where it fails. */
export function background(onFailure: (error: unknown, name: string) => void): Background {
  const over = new AbortController();
  const going = new Set<Promise<void>>();
  return {
    stop: over.signal,
    begin(name, work) {
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
