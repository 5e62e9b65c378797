export interface StoredThing {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

/** Things by the name that the sender gives them; a deleted thing keeps its name (specification §3). */
export type ThingStore = ReturnType<typeof createThingStore>;

export function createThingStore(kind: string) {
  const things = new Map<string, StoredThing>();
  return {
    find: (name: string) => things.get(name) ?? null,
    write(name: string, attributes: Readonly<Record<string, unknown>>, isDeleted: boolean) {
      const stored = { id: things.get(name)?.id ?? `${kind}-${things.size + 1}`, attributes, isDeleted };
      things.set(name, stored);
      return stored;
    },
    /** In the order in which they were created. */
    all: () => [...things.values()],
  };
}
