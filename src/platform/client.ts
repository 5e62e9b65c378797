import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { PlatformResponse } from '../domain/environment/platform-response.js';
import type { Outcome } from '../domain/outcome.js';
import { leadsTo } from '../domain/text/path-segment.js';
import { classify, classifyFailure } from './answers/classify.js';
import { personalValues } from './answers/reason.js';
import { readResponse } from './answers/response.js';
import type { PlatformRequest } from './calls/platform-call.js';
import { createHttp, type Http, type HttpFailure } from './http.js';

/** The result of one request: a response, or the reason why there was none; never both. */
export type PlatformAnswer = {
  readonly outcome: Outcome;
  /** Wall-clock time at which sending began, in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
} & (
  | { readonly response: PlatformResponse; readonly failure: null }
  | { readonly response: null; readonly failure: HttpFailure }
);

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/** Takes no permit and repeats no request. @param http given only where the network is simulated; closed by `close`. */
export function createPlatformClient(
  environment: EnvironmentConfig,
  clock: Clock,
  http: Http = createHttp(clock, true, environment),
) {
  const baseUrl = environment.baseUrl.replace(/(?<!\/)\/+$/, '');
  return {
    close: () => http.close(),
    /**
     * Sends a request once and returns its result; every fault of network and platform is a value. `mayLeave` is called at
     * the last moment before the first byte. The request is cancelled at the environment's deadline.
     */
    async send(request: PlatformRequest, token: string, mayLeave: () => boolean): Promise<PlatformAnswer> {
      const startedAtMs = clock.nowMs();
      const startedMs = clock.monotonicMs();
      if (!leadsTo(baseUrl, request.path)) {
        const outcome = classifyFailure(MISDIRECTED);
        return { outcome, response: null, failure: MISDIRECTED, startedAtMs, durationMs: 0 };
      }
      const result = await http.exchange(
        {
          method: request.method,
          url: baseUrl + request.path,
          // No accept-encoding: undici doesn't decode.
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'user-agent': 'registrar',
          },
          body: request.body === null ? null : JSON.stringify(request.body),
        },
        { deadlineMs: environment.deadlineMs, mayLeave },
      );
      const durationMs = clock.monotonicMs() - startedMs;
      if (result.response === null) {
        const { failure } = result;
        return { outcome: classifyFailure(failure), response: null, failure, startedAtMs, durationMs };
      }
      const secrets = [token, environment.clientSecret ?? ''];
      const response = readResponse(result.response, secrets, personalValues(request.body));
      const outcome = classify(request, response, environment.exists);
      return { outcome, response, failure: null, startedAtMs, durationMs };
    },
  };
}

/** The failure of a request that could reach anything: a value in its path was not checked at its source. */
const MISDIRECTED: HttpFailure = {
  code: 'misdirected',
  message: 'the path of the request leads to another place than it names',
  sent: false,
};

/** A read that shows whether `baseUrl` leads to the API; it writes nothing, whether or not the platform has it. */
export const PROBE: PlatformRequest = { method: 'GET', path: '/api/v2/completions', body: null };

/**
 * True where the answer to the probe is not the API's: 404, a redirect or a web page. The specification shows no read, so
 * that 405 is an answer of the API too, as 401 and 403 are.
 */
export function isElsewhere({ outcome, response }: PlatformAnswer): boolean {
  if (response === null || response.status === 405) return false;
  return response.status === 404 || (outcome.kind === 'stop' && outcome.fault?.code === 'address');
}
