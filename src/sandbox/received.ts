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
  /** True: the platform carried the request out, whatever it answered. */
  readonly written: boolean;
  /** Which write of the same completion it was: 1 the first, 2 a repeat; null when nothing was written. */
  readonly write: number | null;
  readonly fault: string | null;
  /** Attributes of a completion as they came, null for other requests. */
  readonly attributes: unknown;
  /** How many entries the body's list has; null for a body without a list. */
  readonly entries: number | null;
}

/** A 429 because the quota was exceeded, and not by a fault. */
export function isOverQuota({ status, fault }: ReceivedRequest): boolean {
  return status === 429 && fault !== 'throttle';
}
