import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../domain/clock.js';
import { errorsOf } from '../domain/operator-error.js';
import { refusalAnswer, refuse, type SandboxAnswer } from './answer.js';
import { createSandboxPlatform, type SandboxOptions } from './platform.js';

export interface SandboxServerOptions extends SandboxOptions {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A platform on a port; base address and token address are both `url`. */
export type SandboxServer = Awaited<ReturnType<typeof startSandbox>>;

/** Far beyond any body of the specification; keeps a mistaken client from filling the memory. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** On 127.0.0.1 alone. Throws OperatorError where the port can't be opened. */
export async function startSandbox(options: SandboxServerOptions = {}) {
  const clock = options.clock ?? systemClock();
  const platform = createSandboxPlatform(options);
  const closing = new AbortController();
  // Each answer that is held back adds a listener.
  setMaxListeners(0, closing.signal);

  const server = createServer((request, response) => {
    // A client may disconnect while it is answered.
    exchange(request, response).catch(() => request.socket.destroy());
  });

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const { method = '', url: path = '', headers } = request;
    const answer =
      body === null
        ? refusalAnswer(refuse(413, 'The body is too large.'), 'error-size')
        : platform.handle({ method, path, headers: single(headers), body: body || null }, clock.nowMs());
    await clock.sleep(answer.fault?.delayMs ?? 0, closing.signal);
    send(answer, response);
  }

  const port = await listen(server, options.port ?? 0);
  return {
    /** Without a slash at the end. */
    url: `http://127.0.0.1:${port}`,
    port,
    platform,
    /** Stops at once: open connections are cut, answers held back are never sent. */
    close: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(answer: SandboxAnswer, response: ServerResponse): void {
  if (answer.status === null) {
    // A connection that is cut after the request was read is reset; the token host closes properly without an answer.
    if (answer.fault?.kind === 'tls-closed') response.socket?.destroy();
    else response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body ?? undefined);
}

/** null: it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    // The rest is read and forgotten: leaving it unread would cut the connection before the answer.
    if (sizeBytes <= LARGEST_BODY_BYTES) chunks.push(chunk);
  }
  return sizeBytes > LARGEST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function single(headers: IncomingMessage['headers']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `the sandbox can't listen on 127.0.0.1:${port} (${error.code ?? error.message})`;
      const hint = 'Stop what uses the port, or choose another with --port; 0 takes any free one.';
      reject(errorsOf('start the sandbox')(`port ${port}`, message, hint, { cause: error }));
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
