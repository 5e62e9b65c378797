/** Objects of a class stay unchanged. @param change is given a text, and the name of its member: '' for the names themselves. */
export function mapStrings<T>(value: T, change: (text: string, member: string) => string): T {
  /** Many objects have the same names. */
  const names = new Map<string, string>();
  const named = (name: string) => {
    if (!names.has(name)) names.set(name, change(name, ''));
    return names.get(name) ?? '';
  };
  const within = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return change(value, member);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const members = value.map((one) => within(one, member));
      return members.every((one, at) => one === value[at]) ? value : members;
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const keys = Object.keys(value) as (keyof typeof value)[];
    const members = keys.map((key) => within(value[key], key));
    // Nearly every object holds nothing to change.
    if (keys.every((key, at) => named(key) === key && members[at] === value[key])) return value;
    return Object.fromEntries(keys.map((key, at) => [named(key), members[at]]));
  };
  return within(value, '') as T;
}
