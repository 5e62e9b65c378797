/** The quota of one client id, wherever it is kept. */
export interface Gate {
  /**
   * Resolves when one request may leave. The permit must be ended, with `answered`, `throttled`, `lost` or `unused`.
   * @param deadlineMs the longest the request may take to leave, and from then on to be answered. The permit of a
   *   process that dies stays taken for twice that time and a period more.
   * @returns null when `signal` aborted first.
   */
  acquire(purpose: RequestPurpose, deadlineMs: number, signal?: AbortSignal): Promise<Permit | null>;
}

/** `push` doesn't use the part of the quota that the environment reserves for reruns by hand. */
export type RequestPurpose = 'token' | 'push' | 'rerun';

export interface Permit {
  /**
   * To be called right before the request's first byte: a process that was stopped may have lost the permit. Answered
   * from the deadline that was set when the permit was taken, without a query.
   */
  mayLeave(): boolean;
  /**
   * A response other than 429 arrived: the permit is free one period later.
   * @returns the most requests of this ledger that the platform can have counted together with this one.
   */
  answered(): Promise<number>;
  /**
   * 429: no process sends for so long (null: a period), and then one request goes first and alone.
   * @returns as `answered`.
   */
  throttled(retryAfterMs: number | null): Promise<number>;
  /** No response: the permit stays taken until the deadline plus a period, and is kept until the platform answers again. */
  lost(): Promise<void>;
  /** No byte left this machine: the permit is free at once. */
  unused(): Promise<void>;
}
