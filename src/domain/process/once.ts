/** Calls `make` on first use and keeps its result. */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** Calls `make` on first use of each key and keeps its result as long as the key. */
export function onceFor<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const cached = new WeakMap<Key, T>();
  return (key) => {
    if (!cached.has(key)) cached.set(key, make(key));
    return cached.get(key) as T;
  };
}
