/** A number with what it counts: "1 row", "12 rows", "0 rows". */
export function countOf(value: number, thing: string, things = `${thing}s`): string {
  return `${value} ${agreeing(value, thing, things)}`;
}

/** `agreeing(rows, 'waits', 'wait')` */
export function agreeing(value: number, one: string, many: string): string {
  return value === 1 ? one : many;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
