import type { Http, HttpBounds, HttpRequest, HttpResult } from '../../src/platform/http.js';
import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/answer.js';
import type { VirtualTime } from '../support/virtual-time.js';
import type { Draws } from './draws.js';
import type { Trouble } from './plan-world.js';
import type { SimulatedProcess } from './simulated-process.js';

/** What the network between the processes and one environment needs to know. */
export interface NetworkOptions {
  readonly time: VirtualTime;
  readonly draw: Draws;
  readonly latencyMs: number;
  /** The troubles that the next request meets. */
  troublesNow(): readonly Trouble[];
  /** The platform reads a request. @param lateMs how long that lay there. */
  arrive(request: SandboxRequest, lateMs: number): SandboxAnswer;
  /** When the platform reads a request that reaches it now, in virtual time. */
  readsAtMs(): number;
  /** The request leaves this machine. */
  leaves(process: SimulatedProcess, request: HttpRequest): void;
  /** The process learns what came of its request, that left at `leftMs`. @param status null when no answer came. */
  ends(process: SimulatedProcess, request: HttpRequest, leftMs: number, status: number | null): void;
}

/**
 * The way of one process to one environment. A request arrives within its deadline or never: after that its connection
 * is gone. It arrives as well when its process dies on the way. What has arrived is read, however late the platform does.
 */
export function simulatedHttp(process: SimulatedProcess, options: NetworkOptions): Http {
  return {
    exchange: (request, bounds) => exchange(process, options, request, bounds),
    close: async () => {},
  };
}

function exchange(
  process: SimulatedProcess,
  { time, draw, latencyMs, troublesNow, arrive, readsAtMs, leaves, ends }: NetworkOptions,
  request: HttpRequest,
  { deadlineMs, mayLeave, signal }: HttpBounds,
): Promise<HttpResult> {
  return new Promise((resolve, reject) => {
    // A dead process gets no answer.
    if (!process.isAlive()) return;
    const way = drawWay(draw, troublesNow(), latencyMs, isTokenRequest(request));
    const startedMs = time.passedMs();
    let isDone = false;
    let leftMs: number | null = null;
    const finish = (result: HttpResult) => {
      if (isDone) return;
      isDone = true;
      if (leftMs !== null) ends(process, request, leftMs, result.response?.status ?? null);
      takeBackDeadline();
      signal?.removeEventListener('abort', interrupt);
      resolve(result);
    };
    const fail = (code: string) =>
      finish({ response: null, failure: { code, message: code, sent: leftMs !== null } });
    const interrupt = () => fail('interrupted');
    const takeBackDeadline = process.after(deadlineMs, 'timer', () => fail('deadline'));
    if (signal?.aborted) return interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });

    process.after(way.connectMs, 'answer', () => {
      if (isDone) return;
      if (way.isRefused) return fail('ECONNREFUSED');
      try {
        if (!mayLeave()) return fail('fenced');
      } catch (error) {
        return reject(error);
      }
      leftMs = time.passedMs();
      leaves(process, request);
      if (way.loss === 'request') {
        process.after(way.thereMs, 'answer', () => fail('ECONNRESET'));
        return;
      }
      if (leftMs + way.thereMs > startedMs + deadlineMs) return;
      time.at(time.passedMs() + way.thereMs, () => {
        if (isDone && process.isAlive()) return;
        const readsMs = readsAtMs();
        const lateMs = Math.max(0, readsMs - time.passedMs());
        if (lateMs > 0) time.at(readsMs, () => read(lateMs));
        else read(0);
      });
      const read = (lateMs: number) => {
        const answer = changed(arrive(sandboxRequest(request), lateMs), way);
        if (way.loss === 'answer') return;
        const backMs = way.backMs + (answer.fault?.delayMs ?? 0);
        process.after(backMs, 'answer', () => {
          if (answer.status === null) return fail('UND_ERR_SOCKET');
          const { status, headers, body } = answer;
          finish({ response: { status, headers, text: body ?? '', complete: true }, failure: null });
        });
      };
    });
  });
}

export function isTokenRequest({ url }: HttpRequest): boolean {
  return url.endsWith('/oauth/token');
}

/** What one request meets on its way. */
interface Way {
  readonly connectMs: number;
  readonly thereMs: number;
  readonly backMs: number;
  readonly isRefused: boolean;
  /** An answer that is lost leaves the process waiting until its deadline. */
  readonly loss: 'request' | 'answer' | null;
  /** Instead of the `Retry-After` of a refusal; undefined: leave it. */
  readonly retryAfter: string | undefined;
  /** A page of the host instead of a token. */
  readonly page: boolean;
}

/** What a platform may write there; the odd ones are not to be believed, nor to break anything. */
const RETRY_AFTERS: readonly [string, ...string[]] = [
  '0',
  '1',
  '3',
  '12',
  '40',
  '0.5',
  '-5',
  'soon',
  '',
  '999999999',
  'Mon, 02 Mar 2026 08:01:00 GMT',
];

function drawWay(draw: Draws, troubles: readonly Trouble[], latencyMs: number, ofToken: boolean): Way {
  const isNoisy = troubles.includes('noise');
  const isSlow = troubles.includes('slow');
  const longest = isSlow ? 40_000 : latencyMs;
  const met = (trouble: Trouble) => troubles.includes(trouble) || (isNoisy && draw.chance(0.05));
  return {
    connectMs: draw.magnitude(1, isSlow ? 2_000 : 20),
    thereMs: draw.magnitude(1, longest),
    backMs: draw.magnitude(1, longest),
    isRefused:
      met('refused-connections') || (ofToken && troubles.includes('token-host-down') && draw.chance(0.5)),
    loss: met('lost-requests') ? 'request' : met('lost-answers') ? 'answer' : null,
    retryAfter: troubles.includes('busy')
      ? draw.pick(['3', '12', '40'])
      : draw.chance(0.5)
        ? draw.pick(RETRY_AFTERS)
        : undefined,
    page: ofToken && troubles.includes('token-host-down'),
  };
}

function changed(answer: SandboxAnswer, way: Way): SandboxAnswer {
  if (way.page)
    return { ...answer, status: 502, headers: { 'content-type': 'text/html' }, body: '<html></html>' };
  if (answer.status !== 429 && answer.status !== 503) return answer;
  if (way.retryAfter === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': way.retryAfter } };
}

function sandboxRequest({ method, url, headers, body }: HttpRequest): SandboxRequest {
  return { method, path: new URL(url).pathname, headers, body };
}
