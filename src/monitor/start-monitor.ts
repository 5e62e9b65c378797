import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActionContext } from '../actions/context.js';
import { readFigures } from '../actions/monitor/figures.js';
import { keptFor } from '../actions/monitor/kept-for.js';
import { readiness } from '../actions/monitor/readiness.js';
import type { Environment } from '../config/env-references.js';
import { type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import { OperatorError } from '../domain/operator-error.js';
import { exposition, formatFor, processMetrics } from './exposition.js';
import type { JobsView } from './jobs-view.js';

/** What is watched, and where that is served. */
export interface Monitored {
  readonly listen: ListenAddress;
  /** Asked anew for each request, because the configuration may be read again. */
  readonly context: () => ActionContext;
  readonly jobs: JobsView;
  /** The variables that registrar.yaml refers to. */
  readonly env: Environment;
  /** Called when metrics can't be read; the text for people is the caller's. */
  readonly onFailure: (error: unknown) => void;
}

/** A monitor that listens. */
export interface Monitor {
  /** As a URL has it: `127.0.0.1:9464`. */
  readonly address: string;
  close(): Promise<void>;
}

/** After so long without a beat the loop behind the jobs hangs: it goes round every few seconds. */
const LOOP_MS = 120_000;

/** However often it is asked, reading registrar.yaml takes some hundredth of the time; what is mended is seen at once. */
const READINESS = { leastMs: 1_000, times: 0 };

/**
 * Serves /healthz (the process answers), /readyz (work that comes in could be done) and /metrics, by GET alone. None of them
 * shows a learner, a file's name or a secret. Throws OperatorError where it can't listen there.
 */
export async function startMonitor({ listen, context, jobs, env, onFailure }: Monitored): Promise<Monitor> {
  const { clock } = context();
  const figures = readFigures(context);
  const ofProcess = processMetrics();
  const ready = keptFor(clock, READINESS, () => readiness(context(), env));
  const metrics = async (request: IncomingMessage): Promise<Served> => {
    const read = await figures.read().catch((error) => {
      onFailure(error);
      return null;
    });
    const { config } = context();
    const observed = {
      figures: read,
      isReady: (await ready()).ready,
      jobs: jobs.jobs(),
      environments: Object.keys(config.environments),
      sources: config.sources.map(({ name }) => name),
      nowMs: clock.nowMs(),
    };
    const { text, contentType } = await exposition(observed, ofProcess, formatFor(request.headers.accept));
    return { status: 200, contentType, text };
  };
  const routes: Readonly<Record<string, (request: IncomingMessage) => Promise<Served>>> = {
    '/healthz': async () => {
      const isAlive = clock.monotonicMs() - jobs.aliveAtMs() < LOOP_MS;
      return isAlive ? plain(200, 'ok\n') : plain(503, 'the loop behind the jobs hangs\n');
    },
    '/readyz': async () => {
      const found = await ready();
      return {
        status: found.ready ? 200 : 503,
        contentType: 'application/json; charset=utf-8',
        text: `${JSON.stringify(found)}\n`,
      };
    },
    '/metrics': metrics,
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    void answer(routes, request, onFailure).then((served) => send(request, response, served));
  });
  server.maxConnections = MOST_CONNECTIONS;
  const address = await listening(server, listen);
  return {
    address,
    async close() {
      await figures.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A few scrapers and probes; no flood of them takes the service's files. */
const MOST_CONNECTIONS = 32;

interface Served {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

function plain(status: number, text: string): Served {
  return { status, contentType: 'text/plain; charset=utf-8', text };
}

async function answer(
  routes: Readonly<Record<string, (request: IncomingMessage) => Promise<Served>>>,
  request: IncomingMessage,
  onFailure: (error: unknown) => void,
): Promise<Served> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return plain(404, `${Object.keys(routes).join(', ')}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD\n');
  try {
    return await route(request);
  } catch (error) {
    onFailure(error);
    return plain(500, 'this broke; the log says how\n');
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, contentType, text }: Served,
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function listening(server: Server, listen: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    // Also later, where nobody waits for it any more: a connection that can't be accepted ends no service.
    server.on('error', (error: NodeJS.ErrnoException) => reject(cantListen(listen, error)));
    server.listen(listen, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return listenText({ ...listen, port });
}

function cantListen(listen: ListenAddress, error: NodeJS.ErrnoException): OperatorError {
  return new OperatorError({
    operation: 'serve health and metrics',
    subject: listenText(listen),
    message: `can't listen at ${listenText(listen)}: ${LISTEN_WORDS.get(error.code ?? '') ?? error.message}`,
    hint: 'Choose another address or port: monitor.listen of registrar.yaml, or --listen.',
    cause: error,
  });
}

const LISTEN_WORDS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'this user may not use that port'],
  ['ENOTFOUND', 'no machine has that name'],
]);
