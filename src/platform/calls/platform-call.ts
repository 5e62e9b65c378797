import type { PlatformCalls } from '../../config/platform-calls.js';
import type { NormalisedRecord } from '../../domain/record.js';

/** One HTTP request to the platform, without the platform's address and the token. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with leading slash, below the environment's `baseUrl`. */
  readonly path: string;
  /** Sent as JSON; null: no body. */
  readonly body: unknown;
}

/** The scope that the specification shows (§4.1, §5.3). */
export const CONTENT_WRITE = 'content:write';

/** A scope that the specification doesn't show; publicly known. */
export const COMPLETIONS_WRITE = 'completions:write';

export interface PlatformCall {
  /** The scope its token needs (specification §5.3). */
  readonly scope: string;
  /** What the specification doesn't show about the call, and where that comes from; absent: it shows all. */
  readonly notShown?: string;
  /** The request that delivers the records: one record, or as many as may share a request. */
  request(records: readonly [NormalisedRecord, ...NormalisedRecord[]], calls: PlatformCalls): PlatformRequest;
  /** The request that makes an existing thing what the record says (specification §3); absent: there is none. */
  revive?(record: NormalisedRecord, calls: PlatformCalls): PlatformRequest;
  /** True where a refusal's `source` (specification §7) names this record; absent: a request has one record. */
  isNamed?(record: NormalisedRecord, index: number, source: string): boolean;
  /** Fields whose texts the platform may answer altered (specification §2.5), and the call that names their attributes. */
  readonly texts?: { readonly fields: readonly string[]; readonly call: keyof PlatformCalls };
}
