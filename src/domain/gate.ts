/**
 * Asks for a place in the quota of one client id. The token call and the push loop get a gate from outside, so
 * that neither knows where the quota is kept.
 */
export interface Gate {
  /**
   * Resolves when one request may leave. The permit must be ended, with `answered`, `lost` or `unused`.
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
  /** A response arrived just now: the place is free again one period later. */
  answered(): void;
  /** No response: the place stays taken until the deadline plus a period. */
  lost(): void;
  /** No byte left this machine: the place is free at once. */
  unused(): void;
}
