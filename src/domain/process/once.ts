/** What `make` returns, made when it is first asked for: for what takes long to make and is seldom needed. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
