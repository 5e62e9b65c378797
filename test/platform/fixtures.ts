import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server as RawServer,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { Permit } from '../../src/domain/environment/gate.js';
import type { PlatformRequest } from '../../src/platform/calls/platform-call.js';

export const SECRET = 'a-secret/with+signs';

export const COMPLETION: PlatformRequest = {
  method: 'POST',
  path: '/api/v2/completions',
  body: {
    data: {
      type: 'completions',
      attributes: {
        'user-id': 'ada@example.org',
        'user-identifier-type': 'Email',
        'content-id': 'SAFETY-1',
        'content-id-type': 'ExternalId',
        'content-type': 'course',
        'completed-at': '2025-02-28T16:30:00.000Z',
      },
    },
  },
};

/** For requests that may always leave. */
export const MAY_LEAVE = () => true;

/** A permit that bounds nothing and records how it ends. */
export function permitTelling(calls: string[]): Permit {
  return {
    mayLeave: MAY_LEAVE,
    answered: async () => calls.push('answered'),
    throttled: async (retryAfterMs) => calls.push(`throttled ${retryAfterMs}`),
    lost: async () => void calls.push('lost'),
    unused: async () => void calls.push('unused'),
  };
}

/** An environment whose addresses are both `url`; `deadline` and others as registrar.yaml writes them. */
export function environmentAt(url: string, more: Record<string, unknown> = {}): EnvironmentConfig {
  return environmentSchema.parse({
    baseUrl: url,
    authUrl: url,
    clientId: 'sandbox-client',
    clientSecret: SECRET,
    deadline: '5s',
    ...more,
  });
}

/** A TCP server that does with each connection what the test says; `scheme` is what its address begins with. */
export async function rawServer(onConnection: (socket: Socket) => void, scheme = 'http'): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  onTestFinished(() =>
    closing(server, () => {
      for (const socket of sockets) socket.destroy();
    }),
  );
  return `${scheme}://127.0.0.1:${await listening(server)}`;
}

/** A TCP server that answers each request with these bytes and ends the connection. */
export function answering(bytes: string): Promise<string> {
  return rawServer((socket) => socket.once('data', () => socket.end(bytes)));
}

/** An HTTP server; `received` grows with every request. */
export async function httpServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; received: { headers: IncomingMessage['headers']; body: string; url: string }[] }> {
  const received: { headers: IncomingMessage['headers']; body: string; url: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body, url: request.url ?? '' });
      answer(request, response, body);
    });
  });
  onTestFinished(() => closing(server, () => server.closeAllConnections()));
  return { url: `http://127.0.0.1:${await listening(server)}`, received };
}

function listening(server: Server | RawServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closing(server: Server | RawServer, cut: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    cut();
  });
}
