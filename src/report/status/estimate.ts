import type { EnvironmentConfig } from '../../config/schema.js';

/** The time that a sound platform takes to answer; used by estimates alone. */
const ASSUMED_LATENCY_MS = 500;

/**
 * How long `waiting` rows take at the environment's quota, in milliseconds: a permit stays taken for the period and an
 * answer's time.
 */
export function estimatedMs(waiting: number, environment: EnvironmentConfig): number {
  const { requests, perMs, reserve } = environment.quota;
  return Math.ceil((waiting * (perMs + ASSUMED_LATENCY_MS)) / Math.max(1, requests - reserve));
}

/** A length of time in two units at most: "2 h 5 min", "45 s". */
export function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
