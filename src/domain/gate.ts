/**
 * Asks for a place in the quota of one client id. The token call and the push loop get a gate from outside, so
 * that neither knows where the quota is kept.
 */
export interface Gate {
  /**
   * Resolves when one request may leave. The permit must be ended, with `answered`, `throttled`, `lost` or `unused`.
   * @param deadlineMs the longest the request may take, in milliseconds: without an answer the place stays
   *   taken that long and a period more.
   * @returns null when `signal` aborted first.
   */
  acquire(purpose: RequestPurpose, deadlineMs: number, signal?: AbortSignal): Promise<Permit | null>;
}

/** `push` leaves the part of the quota alone that the environment keeps for reruns by hand. */
export type RequestPurpose = 'token' | 'push' | 'rerun';

/** One request's place in the quota. */
export interface Permit {
  /**
   * To be called at the last moment before the request's first byte: whether the place is still this request's, for
   * a process that was stopped in between may have lost it. The deadline counts from here.
   */
  mayLeave(): boolean;
  /** A response other than 429 arrived just now: the place is free again one period later. */
  answered(): void;
  /**
   * 429: no process sends for this client id for so long (null: a period), and then one request goes first and alone.
   */
  throttled(retryAfterMs: number | null): void;
  /** The most requests of this ledger that the platform can have counted together with this one. */
  mostCounted(): number;
  /** No response: the place stays taken until the deadline plus a period, and is kept until the platform answers again. */
  lost(): void;
  /** No byte left this machine: the place is free at once. */
  unused(): void;
}
