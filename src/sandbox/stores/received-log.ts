import { grouped } from '../../domain/grouped.js';

export interface ReceivedRequest {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly at: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** null where neither token nor form named a known client. */
  readonly clientId: string | null;
  /** It took a permit of the client's quota. */
  readonly counted: boolean;
  /** null when the connection was cut instead of an answer. */
  readonly status: number | null;
  /** The platform did the work of the request, with any answer. */
  readonly written: boolean;
  /** Which write of the same completion it was: 1 the first, 2 a repeat; null when nothing was written. */
  readonly write: number | null;
  /** The kind of fault that was applied, null for none. */
  readonly fault: string | null;
  /** Attributes of a completion as they came, null for other requests. */
  readonly attributes: unknown;
  /** How many entries the body's list has; null for a body without a list. */
  readonly entries: number | null;
}

export type SandboxStats = ReturnType<typeof summarise>;

/** @param perMs the quota's period. */
export function summarise(log: readonly ReceivedRequest[], perMs: number) {
  const byStatus = [...grouped(log, ({ status }) => String(status ?? 'none'))];
  const counted = log.filter((entry) => entry.counted && entry.clientId !== null);
  const byClient = [...grouped(counted, ({ clientId }) => clientId).values()];
  return {
    requests: log.length,
    /** By status; `none` counts the answers that were dropped. */
    byStatus: Object.fromEntries(byStatus.map(([status, requests]) => [status, requests.length])),
    /** How many 429 had an exceeded quota as their reason; those of faults are not counted. */
    overQuota: log.filter((entry) => entry.status === 429 && entry.fault !== 'throttle').length,
    /** Most counted requests of one client id within any period of the quota's length, wherever it begins. */
    mostInAnyWindow: Math.max(0, ...byClient.map((requests) => mostWithin(requests, perMs))),
    /** Requests that wrote a completion for the second time or later. */
    repeatedWrites: log.filter((entry) => (entry.write ?? 0) > 1).length,
  };
}

/** Periods are half open: two requests exactly `perMs` apart are never in one. */
function mostWithin(requests: readonly ReceivedRequest[], perMs: number): number {
  let most = 0;
  let first = 0;
  for (const [last, { atMs }] of requests.entries()) {
    while (atMs - (requests[first]?.atMs ?? atMs) >= perMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
