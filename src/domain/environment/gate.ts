/**
 * Requests a permit in the quota of one client id. The token call and the push loop get a gate from outside, so that neither
 * knows where the quota is kept.
 */
export interface Gate {
  /**
   * Resolves when one request may leave. The permit must be ended, with `answered`, `throttled`, `lost` or `unused`.
   * @param deadlineMs the longest the request may take to leave, and from then on to be answered, in milliseconds. The permit of
   *   a process that dies stays taken for twice that time and a period more.
   * @returns null when `signal` aborted first.
   */
  acquire(purpose: RequestPurpose, deadlineMs: number, signal?: AbortSignal): Promise<Permit | null>;
}

/** `push` doesn't use the part of the quota that the environment reserves for reruns by hand. */
export type RequestPurpose = 'token' | 'push' | 'rerun';

/** A part of the quota, held for one request. */
export interface Permit {
  /**
   * To be called at the last moment before the request's first byte: whether the permit is still this request's, for a
   * process that was stopped in between may have lost it. No query is possible here, so the answer comes from the deadline
   * that was set when the permit was taken.
   */
  mayLeave(): boolean;
  /**
   * A response other than 429 arrived just now: the permit is free again one period later.
   * @returns the most requests of this ledger that the platform can have counted together with this one.
   */
  answered(): Promise<number>;
  /**
   * 429: no process sends for this client id for so long (null: a period), and then one request goes first and alone.
   * @returns the same count as `answered`.
   */
  throttled(retryAfterMs: number | null): Promise<number>;
  /** No response: the permit stays taken until the deadline plus a period, and is kept until the platform answers again. */
  lost(): Promise<void>;
  /** No byte left this machine: the permit is free at once. */
  unused(): Promise<void>;
}
