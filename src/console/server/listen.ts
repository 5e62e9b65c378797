import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ListenAddress } from '../../config/values/network/listen-address.js';
import { listenAt } from '../../monitor/listen-at.js';

/** Enough for an office and its scripts; beyond it, connections wait in the system's queue. */
const MAX_CONNECTIONS = 1_000;

/** Of one address of another machine, so that none takes all of them. A trusted proxy has many people behind it. */
const MAX_FROM_ADDRESS = 100;

/** A client that sends or takes nothing for so long is gone. Bodies have limits of their own. */
const IDLE_MS = 30_000;

/** Longer than proxies keep a connection (nginx: 60 s): otherwise one is ended while a request is on its way on it. */
const KEPT_MS = 75_000;

/** An upload may take long while data arrives: `IDLE_MS` ends a stalled one. */
const MAX_REQUEST_MS = 2 * 3_600_000;

/**
 * Serves an app. Heads of requests must come within seconds, so that slow clients hold nothing for long. Throws OperatorError where it
 * can't listen there. @param idleMs how long nothing may move on a connection. @param isTrusted true for the address of a proxy.
 */
export async function serveAt(
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
  listen: ListenAddress,
  tls: { readonly certFile: string; readonly keyFile: string } | null,
  idleMs = IDLE_MS,
  isTrusted: (address: string) => boolean = () => false,
) {
  const serverOptions: ServerOptions = {
    headersTimeout: 10_000,
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: KEPT_MS,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 32_768,
  };
  const secured = tls && { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  const server = createAdaptorServer(
    secured === null
      ? { fetch, createServer, serverOptions }
      : { fetch, createServer: createSecureServer, serverOptions: { ...serverOptions, ...secured } },
  ) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  shareConnections(server, (address) => THIS_MACHINE.test(address) || isTrusted(address));
  endIdle(server, idleMs);
  const port = await listenAt(server, listen, {
    operation: 'serve the console',
    hint: 'Choose another address or port: console.listen of registrar.yaml, or --listen.',
  });
  return {
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Ends a connection at once whose address has its share already. @param isFree addresses without a limit. */
export function shareConnections(
  server: Pick<Server, 'on'>,
  isFree: (address: string) => boolean,
  limit = MAX_FROM_ADDRESS,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isFree(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > limit) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 1) - 1;
      if (remaining === 0) open.delete(address);
      else open.set(address, remaining);
    });
  });
}

const THIS_MACHINE = /^(?:::ffff:)?127\.|^::1$/;

/** Ends connections on which nothing moves, but for those that wait for this server: an answer may take long. */
function endIdle(server: Server, idleMs: number): void {
  const answering = new Map<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => {
    answering.set(socket, response);
    response.once('close', () => answering.delete(socket));
  });
  // With a listener, Node leaves closing the connection to us.
  server.setTimeout(idleMs, (socket) => {
    const response = answering.get(socket);
    if (response === undefined || socket.writableLength > 0) socket.destroy();
  });
}
