/** Calls `make` on first use and keeps its result, for values that are slow to build and seldom needed. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
