/** The units of time in milliseconds, the longest first. */
export const TIME_UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** As people say of an estimate: in whole minutes once it is more than two. */
export function roughlyInWords(ms: number): string {
  return inWords(ms < 120_000 ? ms : Math.round(ms / 60_000) * 60_000);
}

/** In two units at most: "2 h 5 min", "45 s". */
export function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
