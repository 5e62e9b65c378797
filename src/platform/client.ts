import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Outcome } from '../domain/outcome.js';
import { leadsTo } from '../domain/text/path-segment.js';
import { classify, classifyFailure } from './answers/classify.js';
import { personalValues } from './answers/reason.js';
import { type PlatformResponse, readResponse } from './answers/response.js';
import type { PlatformRequest } from './calls/platform-call.js';
import { createHttp, type Http, type HttpFailure } from './http.js';

/** What came of one request: a response or the reason why there was none, never both. */
export type PlatformAnswer = {
  readonly outcome: Outcome;
  /** Wall-clock time at which sending began, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Until the response had come or was given up. */
  readonly durationMs: number;
} & (
  | { readonly response: PlatformResponse; readonly failure: null }
  | { readonly response: null; readonly failure: HttpFailure }
);

/** The one way to an environment's resource endpoints. */
export interface PlatformClient {
  /**
   * Sends a request once and says what came of it; every fault of network and platform is a value. `mayLeave` is asked
   * at the last moment before the first byte. The environment's deadline gives the request up.
   */
  send(request: PlatformRequest, token: string, mayLeave: () => boolean): Promise<PlatformAnswer>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * A client with connections of its own. It neither asks for a permit nor repeats anything.
 * @param http the way out, which the client closes; another one only where the network is simulated.
 */
export function createPlatformClient(
  environment: EnvironmentConfig,
  clock: Clock,
  http: Http = createHttp(clock, true, environment),
): PlatformClient {
  const baseUrl = environment.baseUrl.replace(/(?<!\/)\/+$/, '');
  return {
    close: () => http.close(),
    async send(request, token, mayLeave) {
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
      const outcome = classify({ request, response, receivedAtMs: clock.nowMs() }, environment);
      return { outcome, response, failure: null, startedAtMs, durationMs };
    },
  };
}

/** What was put into the path can't have been checked where it came from; what it would reach is anybody's guess. */
const MISDIRECTED: HttpFailure = {
  code: 'misdirected',
  message: 'the path of the request leads to another place than it names',
  sent: false,
};
