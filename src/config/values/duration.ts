const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `15m`, `7d` in milliseconds; NaN for anything else. */
export function durationMs(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : Number.NaN;
}

/** The same length as registrar.yaml writes it, in the largest unit that divides it: `1m`, `90s`. */
export function durationText(ms: number): string {
  const [unit, size] = Object.entries(UNIT_MS)
    .reverse()
    .find(([, unitMs]) => ms % unitMs === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
