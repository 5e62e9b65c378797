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

/** Counts with those of a part added, name by name. */
export function summed<Counts extends { readonly [Name in keyof Counts]: number }>(
  counts: Counts,
  part: Partial<Counts>,
): Counts {
  const sums = Object.entries<number>(counts).map(([name, count]) => [
    name,
    count + (part[name as keyof Counts] ?? 0),
  ]);
  return Object.fromEntries(sums) as Counts;
}

/** Adds counts up, name by name; a name that a part lacks counts as 0. */
export function totals<Name extends string>(
  names: readonly Name[],
  parts: readonly Partial<Record<Name, number>>[],
): Record<Name, number> {
  const total = (name: Name) => parts.reduce((sum, part) => sum + (part[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, total(name)])) as Record<Name, number>;
}
