/** A course or a group that the platform holds. */
export interface StoredThing {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

/** Things by the name that the sender gives them; a deleted thing keeps its name (specification §3). */
export interface ThingStore {
  /** null: there is none. */
  find(name: string): StoredThing | null;
  write(name: string, attributes: Readonly<Record<string, unknown>>, isDeleted: boolean): StoredThing;
  /** In the order in which they were created. */
  all(): readonly StoredThing[];
  reset(): void;
}

export function createThingStore(kind: string): ThingStore {
  const things = new Map<string, StoredThing>();
  return {
    find: (name) => things.get(name) ?? null,
    write(name, attributes, isDeleted) {
      const stored = { id: things.get(name)?.id ?? `${kind}-${things.size + 1}`, attributes, isDeleted };
      things.set(name, stored);
      return stored;
    },
    all: () => [...things.values()],
    reset: () => things.clear(),
  };
}
