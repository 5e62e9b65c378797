/**
 * Objects of a class stay unchanged.
 * @param change is given a text, and the name of its member: '' for the names themselves.
 */
export function mapStrings<T>(value: T, change: (text: string, member: string) => string): T {
  /** Many objects have the same names. */
  const names = new Map<string, string>();
  const named = (name: string) => {
    const changed = names.get(name) ?? change(name, '');
    names.set(name, changed);
    return changed;
  };
  const within = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return change(value, member);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => within(one, member));
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = Object.entries(value);
    const members = entries.map(([key, one]) => within(one, key));
    // Nearly every object holds nothing to change.
    if (entries.every(([key, one], at) => named(key) === key && members[at] === one)) return value;
    return Object.fromEntries(entries.map(([key], at) => [named(key), members[at]]));
  };
  return within(value, '') as T;
}
