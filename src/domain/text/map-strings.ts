/**
 * Objects of a class stay unchanged.
 * @param change is given a text, and the name of its member: '' for the names themselves.
 */
export function mapStrings<T>(value: T, change: (text: string, member: string) => string): T {
  const within = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return change(value, member);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => within(one, member));
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key, ''), within(one, key)]));
  };
  return within(value, '') as T;
}
