import type { PlatformCalls } from '../../config/platform-calls.js';
import type { NormalisedRecord } from '../../domain/record.js';

/** One HTTP request to the platform, without address and token. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with leading slash, below the environment's `baseUrl`. */
  readonly path: string;
  /** Sent as JSON; null: no body. */
  readonly body: unknown;
}

/** How the platform is asked for what an operation is about. */
export interface PlatformCall {
  /** The scope its token needs (specification §5.3). */
  readonly scope: string;
  /** What of it the specification doesn't show and where it comes from, as a sentence; absent: it shows all. */
  readonly notShown?: string;
  /** The request that delivers the records: one, or as many as may share it. */
  request(records: readonly [NormalisedRecord, ...NormalisedRecord[]], calls: PlatformCalls): PlatformRequest;
  /** The request that makes a thing what the record says which exists already (specification §3); absent: none does. */
  revive?(record: NormalisedRecord, calls: PlatformCalls): PlatformRequest;
  /** Whether a refusal's `source` (specification §7) names the record at this place of the request; absent: a request has one. */
  isNamed?(record: NormalisedRecord, index: number, source: string): boolean;
  /** Fields that the platform shows and may answer altered (specification §2.5), and the call that names their attributes. */
  readonly texts?: { readonly fields: readonly string[]; readonly call: keyof PlatformCalls };
}
