/** A drop that is much smaller or larger than its source's usual one. */
export interface OddSize {
  readonly kind: 'drop-small' | 'drop-large';
  readonly rows: number;
  /** The median of the drops before it. */
  readonly usual: number;
}

/** With fewer drops there is no usual size. */
const MIN_BEFORE = 3;

/**
 * Compares the latest drop with the median of those before it; null where it is as usual, or nothing is known.
 * @param sizes rows of data of the source's latest drops, the newest first.
 * @param times how many times smaller or larger gives a notification; 0: none does.
 */
export function oddSize([latest, ...before]: readonly number[], times: number): OddSize | null {
  if (latest === undefined || before.length < MIN_BEFORE || times === 0) return null;
  const usual = medianOf(before);
  if (latest * times <= usual && latest < usual) return { kind: 'drop-small', rows: latest, usual };
  if (latest >= usual * times && latest > usual) return { kind: 'drop-large', rows: latest, usual };
  return null;
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2);
}
