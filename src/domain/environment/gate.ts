/**
 * Requests a permit in the quota of one client id. The token call and the push loop get a gate from outside, so that neither
 * knows where the quota is kept.
 */
export interface Gate {
  /**
   * Resolves when one request may leave; null when `signal` aborted first. The permit must be ended.
   * @param deadlineMs the longest the request may take to leave, and from then on to be answered. The permit of a
   *   process that dies stays taken for twice that time and a period more.
   */
  acquire(purpose: RequestPurpose, deadlineMs: number, signal?: AbortSignal): Promise<Permit | null>;
}

/** `push` doesn't use the part of the quota that the environment reserves for reruns by hand. */
export type RequestPurpose = 'token' | 'push' | 'rerun';

export interface Permit {
  /** To be called right before the request's first byte. Answered from the permit's deadline, without a query. */
  mayLeave(): boolean;
  /** Free one period later. @returns the most requests of this ledger that the platform can have counted. */
  answered(): Promise<number>;
  /** No process sends for so long (null: a period), then one request goes first and alone. @returns as above. */
  throttled(retryAfterMs: number | null): Promise<number>;
  /** No response: the permit stays taken until the deadline plus a period, and is kept until the platform answers again. */
  lost(): Promise<void>;
  /** No byte left this machine. */
  unused(): Promise<void>;
}
