import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import { listenAt } from './listen-at.js';
import { type MonitorRoutes, plainText, type Served } from './monitor-routes.js';

/** Serves health and metrics, by GET alone, at an address of their own. Throws OperatorError where it can't listen there. */
export async function startMonitor(listen: ListenAddress, monitor: MonitorRoutes) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    void answer(monitor, request).then((served) => send(request, response, served));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listenAt(server, listen, {
    operation: 'serve health and metrics',
    hint: 'Choose another address or port: monitor.listen of registrar.yaml, or --listen.',
  });
  const address = listenText({ ...listen, port });
  return {
    /** As a URL has it: `127.0.0.1:9464`. */
    address,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A few scrapers and probes; no flood of them takes the service's files. */
const MAX_CONNECTIONS = 32;

async function answer(routes: MonitorRoutes, request: IncomingMessage): Promise<Served> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return plainText(404, `${Object.keys(routes).join(', ')}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainText(405, 'only GET and HEAD\n');
  return route();
}

function send(request: IncomingMessage, response: ServerResponse, { status, contentType, text }: Served) {
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
