import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { Clock } from '../../src/domain/clock.js';
import type { Gate } from '../../src/domain/environment/gate.js';
import { classify, classifyFailure } from '../../src/platform/answers/classify.js';
import { readResponse } from '../../src/platform/answers/response.js';
import type { PlatformClient } from '../../src/platform/client.js';
import type { TokenSource } from '../../src/platform/token.js';
import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/answer.js';
import type { SandboxPlatform } from '../../src/sandbox/platform.js';

/**
 * Client and tokens of an environment that speak to the sandbox's state machine in the same process, without a
 * network: what is measured is the time of `clock` alone.
 * @param latencyMs half of it passes before the request arrives, half after; drawn again for each half where it varies.
 */
export function sandboxConnection(
  platform: SandboxPlatform,
  environment: EnvironmentConfig,
  clock: Clock,
  gate: Gate,
  latencyMs: number | (() => number),
  stall: Stall | null = null,
): { readonly client: PlatformClient; readonly tokens: TokenSource } {
  const exchange = (request: SandboxRequest) => exchangeWith(platform, clock, latencyMs, request, stall);
  let kept: Promise<string | null> | null = null;

  /** null: no answer in time. */
  const inTime = async (request: SandboxRequest): Promise<SandboxAnswer | null> => {
    const over = new AbortController();
    const isUp = clock.sleep(environment.deadlineMs, over.signal).then(() => null);
    const answer = await Promise.race([exchange(request), isUp]);
    over.abort();
    return answer;
  };

  const askToken = async (scope: string): Promise<string | null> => {
    const permit = await gate.acquire('token', environment.deadlineMs);
    const answer = await inTime({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: environment.clientId,
        client_secret: environment.clientSecret ?? '',
        scope,
      }).toString(),
    });
    if (answer === null) {
      await permit?.lost();
      return null;
    }
    await permit?.answered();
    return (JSON.parse(answer.body ?? '{}') as { access_token: string }).access_token;
  };

  return {
    tokens: {
      async get(scope) {
        kept ??= askToken(scope);
        const token = await kept;
        if (token !== null) return { token };
        kept = null;
        const reason = 'the token host gives no token: no answer in time';
        return { outcome: { kind: 'transient', reason, retryAfterMs: null, mayBeWritten: false } };
      },
      refuse() {
        kept = null;
      },
      close: async () => {},
    },
    client: {
      async send(request, token, mayLeave) {
        const startedAtMs = clock.nowMs();
        if (!mayLeave()) {
          const failure = { code: 'fenced', message: 'not to leave any more', sent: false };
          return { outcome: classifyFailure(failure), response: null, failure, startedAtMs, durationMs: 0 };
        }
        const answer = await inTime({
          method: request.method,
          path: request.path,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(request.body),
        });
        const durationMs = clock.nowMs() - startedAtMs;
        if (answer === null || answer.status === null) {
          const code = answer === null ? 'deadline' : 'UND_ERR_SOCKET';
          const failure = { code, message: 'other side closed', sent: true };
          return { outcome: classifyFailure(failure), response: null, failure, startedAtMs, durationMs };
        }
        const { status, headers, body } = answer;
        const response = readResponse({ status, headers, text: body ?? '', complete: true }, [token]);
        const outcome = classify(request, response, environment.exists);
        return { outcome, response, failure: null, startedAtMs, durationMs };
      },
      close: async () => {},
    },
  };
}

/** After the `at`-th resource request the platform reads nothing for so long, and then at once all that has come. */
export interface Stall {
  readonly at: number;
  readonly ms: number;
}

/** How long a request that arrives now stays unread. */
function stallMs({ received }: SandboxPlatform, nowMs: number, { at, ms }: Stall): number {
  const last = received.filter(({ path }) => path.startsWith('/api/'))[at - 1];
  return last === undefined ? 0 : Math.max(0, last.atMs + ms - nowMs);
}

/** One request there and its answer back. */
export async function exchangeWith(
  platform: SandboxPlatform,
  clock: Clock,
  latencyMs: number | (() => number),
  request: SandboxRequest,
  stall: Stall | null = null,
): Promise<SandboxAnswer> {
  const drawMs = () => (typeof latencyMs === 'number' ? latencyMs : latencyMs());
  // Whole milliseconds, as clocks have them.
  await clock.sleep(Math.floor(drawMs() / 2));
  const stalledMs = stall === null ? 0 : stallMs(platform, clock.nowMs(), stall);
  await clock.sleep(stalledMs);
  const answer = platform.handle(request, clock.nowMs());
  await clock.sleep(Math.ceil(drawMs() / 2) + (answer.fault?.delayMs ?? 0));
  return answer;
}
