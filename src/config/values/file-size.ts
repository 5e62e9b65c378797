const UNIT_BYTES = { kB: 1e3, MB: 1e6, GB: 1e9 } as const;

/** NaN for anything else than `500MB`, `2GB`. */
export function sizeBytes(text: string): number {
  const match = /^(\d+)(kB|MB|GB)$/.exec(text);
  return match ? Number(match[1]) * UNIT_BYTES[match[2] as keyof typeof UNIT_BYTES] : Number.NaN;
}

/** `2 GB`, `3.1 GB` */
export function sizeWords(bytes: number): string {
  const [unit, size] = Object.entries(UNIT_BYTES).findLast(([, unitBytes]) => bytes >= unitBytes) ?? [
    'kB',
    1e3,
  ];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
