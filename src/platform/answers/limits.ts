import type { PlatformResponse } from './response.js';

/** How many requests the client id has left in the period by an answer's headers, which are publicly known; null where none says. */
export function requestsLeft({ headers }: Pick<PlatformResponse, 'headers'>): number | null {
  const left = headers['x-rate-limit-remaining'] ?? '';
  return /^\d{1,9}$/.test(left) ? Number(left) : null;
}

/** "Maximum 70 requests allowed per 1m." (specification §8); null for any other text. */
export function namedQuota(detail: string): { requests: number; per: string } | null {
  const match = /maximum (\d+) requests allowed per (\w+)/i.exec(detail);
  return match ? { requests: Number(match[1]), per: String(match[2]) } : null;
}
