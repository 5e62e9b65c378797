/** The values by what `keyOf` gives of each, in their order. */
export function grouped<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

export function summed<Counts extends { readonly [Name in keyof Counts]: number }>(
  counts: Counts,
  part: Partial<Counts>,
): Counts {
  return totals(Object.keys(counts), [counts, part] as Partial<Record<string, number>>[]) as Counts;
}

/** A name that a part lacks counts as 0. */
export function totals<Name extends string>(
  names: readonly Name[],
  parts: readonly Partial<Record<Name, number>>[],
): Record<Name, number> {
  const total = (name: Name) => parts.reduce((sum, part) => sum + (part[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, total(name)])) as Record<Name, number>;
}
