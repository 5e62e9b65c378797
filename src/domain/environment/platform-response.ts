/** A response as the ledger stores it: without secrets, and clipped. */
export interface PlatformResponse {
  readonly status: number;
  /** The headers of `KEPT_HEADERS` that came; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB; null where there was no body. Personal data. */
  readonly body: string | null;
  /** `incomplete`: the connection or the JSON ends in the middle. `capped`: only the beginning is kept. */
  readonly bodyState: 'complete' | 'incomplete' | 'capped';
  /** null when the body isn't in the error format. */
  readonly error: PlatformError | null;
  /** What in the body of a 2xx speaks of failure; null where nothing does, and for every other status. */
  readonly failureSign: string | null;
  /** `data.id`; null when there is none. */
  readonly platformId: string | null;
}

/** The first entry of an answer in the error format (specification §7), clipped; null: the entry lacks the member. */
export interface PlatformError {
  readonly id: string | null;
  /** Doesn't name the person, like `id` and `title`: all three stay when the person is erased. */
  readonly code: string | null;
  readonly title: string | null;
  readonly detail: string | null;
  /** The offending input. Personal data, like `detail`. */
  readonly source: string | null;
}
