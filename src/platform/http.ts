import type { Dispatcher } from 'undici';
import type { Clock } from '../domain/clock.js';
import { failpoint } from '../domain/process/failpoint.js';
import type { Connections, Network } from './dispatcher.js';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: none. */
  readonly body: string | null;
}

/** What came back, whatever its status. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; several headers of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The part of the body that came, read as UTF-8. */
  readonly text: string;
  /** False where the connection or the time ended first, or where the body was too long to be read to its end. */
  readonly complete: boolean;
}

/** Why no status came. */
export interface HttpFailure {
  /**
   * A code of the system or of undici; `deadline` where the time was up, `interrupted` where the caller cancelled, `fenced`
   * where the request may no longer leave, `misdirected` where its path leads elsewhere.
   */
  readonly code: string;
  readonly message: string;
  /** False where no byte of the request left: no connection, no address, no TLS. */
  readonly sent: boolean;
}

export type HttpResult =
  | { readonly response: HttpResponse; readonly failure: null }
  | { readonly response: null; readonly failure: HttpFailure };

export interface HttpBounds {
  /** Longest time from the call to the end of the answer. */
  readonly deadlineMs: number;
  /** Called once, right before the request's first byte; false: the request doesn't leave. */
  mayLeave(): boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Http {
  /**
   * Sends one request once: no redirect is followed and nothing is repeated. It always resolves, at the latest
   * when the deadline has passed since the call or when the signal aborts; it rejects only for a request that cannot
   * be written, which is a bug, and with what `mayLeave` throws.
   */
  exchange(request: HttpRequest, bounds: HttpBounds): Promise<HttpResult>;
  /** Closes idle connections and cuts those in use. */
  close(): Promise<void>;
}

/** An endless answer ends here; far beyond the length of any answer that is kept. */
const LARGEST_RESPONSE_BYTES = 1024 * 1024;

/** Connections to one host. @param keepAlive false: each request has its own, for hosts with few requests. */
export function createHttp(clock: Clock, keepAlive: boolean, network: Network = {}): Http {
  let connections: Promise<Connections> | null = null;
  // Most runs find nothing to send, and loading undici takes longer than everything else they do.
  const to = async (url: URL) => {
    connections ??= import('./dispatcher.js').then(({ createConnections }) =>
      createConnections(
        {
          // The one deadline is ours: undici's own time-outs restart with every byte of a slow body.
          headersTimeout: 0,
          bodyTimeout: 0,
          maxResponseSize: LARGEST_RESPONSE_BYTES,
          // 0 is undici's way to send `connection: close`.
          pipelining: keepAlive ? 1 : 0,
        },
        network,
      ),
    );
    return (await connections).to(url);
  };
  return {
    exchange: (request, bounds) => exchange(to, clock, request, bounds),
    close: async () => (await connections)?.close(),
  };
}

/**
 * Uses `dispatch`, on which undici's `request` is built: it shows the moment at which a request begins to be written, and
 * lets the deadline also end an attempt to connect.
 */
function exchange(
  to: (url: URL) => Promise<Dispatcher>,
  clock: Clock,
  request: HttpRequest,
  { deadlineMs, mayLeave, signal }: HttpBounds,
): Promise<HttpResult> {
  const url = new URL(request.url);
  return new Promise((resolve, reject) => {
    const finished = new AbortController();
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | null = null;
    let head: Pick<HttpResponse, 'status' | 'headers'> | null = null;

    const finish = (complete: boolean, code = '', message = '') => {
      if (finished.signal.aborted) return;
      finished.abort();
      signal?.removeEventListener('abort', interrupt);
      if (head === null) {
        resolve({ response: null, failure: { code, message, sent: controller !== null } });
      } else {
        const text = new TextDecoder().decode(Buffer.concat(chunks));
        resolve({ response: { ...head, text, complete }, failure: null });
      }
    };
    const giveUp = (code: string, message: string) => {
      finish(false, code, message);
      controller?.abort(new Error(message));
    };
    const isToLeave = () => {
      try {
        return mayLeave();
      } catch (error) {
        reject(error);
        return false;
      }
    };
    const interrupt = () => giveUp('interrupted', 'the request was cancelled');

    if (signal?.aborted) return interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    // A sleep never fails.
    void clock.sleep(deadlineMs, finished.signal).then(() => {
      if (!finished.signal.aborted) giveUp('deadline', `no answer within ${deadlineMs} ms`);
    });

    failpoint('request-begun');
    const dispatch = (dispatcher: Dispatcher) => {
      if (finished.signal.aborted) return;
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          // A copy, because a proxy's agent adds the host to the headers.
          headers: { ...request.headers },
          body: request.body,
        },
        {
          onRequestStart(started) {
            // The request was cancelled while connecting; or this is a second start after a lost connection, which would send
            // it twice.
            if (finished.signal.aborted || controller !== null) {
              started.abort(new Error('the request is not sent again'));
            } else if (isToLeave()) {
              controller = started;
            } else {
              finish(false, 'fenced', 'the request was not to leave any more');
              started.abort(new Error('the request was not to leave any more'));
            }
          },
          onResponseStart(_, status, headers) {
            failpoint('answer-begun');
            // 1xx only announces the answer.
            if (status >= 200) head = { status, headers: joined(headers) };
          },
          onResponseData(_, chunk) {
            chunks.push(chunk);
          },
          onResponseEnd() {
            finish(true);
          },
          onResponseError(_, error) {
            const refusal = /^Proxy response \((\d+)\)/.exec(error.message);
            if (refusal) return finish(false, 'PROXY', `the proxy answers CONNECT with ${refusal[1]}`);
            const code = codeOf(error);
            if (code === 'UND_ERR_INVALID_ARG') reject(error);
            finish(false, code, error.message || code);
          },
        },
      );
    };
    to(url).then(dispatch).catch(reject);
  });
}

/** The error's code; its name where the code is a number or missing. */
function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : error.name;
}

function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}
