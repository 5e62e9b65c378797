import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ActionContext } from '../actions/context.js';
import { readHealth } from '../actions/health/read-health.js';
import { cachedFor } from '../actions/monitor/cached-for.js';
import { metricsReader } from '../actions/monitor/read-metrics.js';
import { type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import type { JobsView } from './job-tracker.js';
import { listenAt } from './listen-at.js';
import { exposition, processMetrics } from './metrics.js';

export interface MonitorInput {
  /** Read again for each request, because the configuration may be reloaded. */
  readonly context: () => ActionContext;
  readonly jobs: JobsView;
  /** Called when metrics can't be read; the text for people is the caller's. */
  readonly onFailure: (error: unknown) => void;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** The answers of a server of health and metrics by path, for GET alone. Failures go to `onFailure`. */
export type MonitorRoutes = Readonly<Record<string, () => Promise<Reply>>>;

/** Without a heartbeat for this long the job loop hangs: it runs every few seconds. */
const LOOP_MS = 120_000;

/** Under any number of requests, the checks take half of the time at most; a repair is seen within seconds. */
const HEALTH = { leastMs: 1_000, times: 1 };

/** /healthz (the process answers), /readyz (nothing has failed), /metrics: no learner, file name or secret. */
export function monitorRoutes({ context, jobs, onFailure }: MonitorInput): MonitorRoutes {
  const { clock } = context();
  const readMetrics = metricsReader(context);
  const ofProcess = processMetrics();
  const health = cachedFor(clock, HEALTH, () => readHealth(context()));
  const metrics = async (): Promise<Reply> => {
    const read = await readMetrics().catch((error) => {
      onFailure(error);
      return null;
    });
    const { config } = context();
    const input = {
      values: read,
      health: await health(),
      jobs: jobs.jobs(),
      environments: Object.keys(config.environments),
      sources: config.sources.map(({ name }) => name),
      nowMs: clock.nowMs(),
    };
    const { text, contentType } = await exposition(input, ofProcess);
    return { status: 200, contentType, text };
  };
  const routes: MonitorRoutes = {
    '/healthz': async () => {
      const isAlive = clock.monotonicMs() - jobs.aliveAtMs() < LOOP_MS;
      return isAlive ? plainText(200, 'ok\n') : plainText(503, 'the loop behind the jobs hangs\n');
    },
    '/readyz': async () => {
      const verdict = await health();
      const isReady = verdict.state !== 'failed';
      return {
        status: isReady ? 200 : 503,
        contentType: 'application/json; charset=utf-8',
        text: `${JSON.stringify({ ready: isReady, ...verdict })}\n`,
      };
    },
    '/metrics': metrics,
  };
  const guarded = Object.entries(routes).map(([path, route]) => [
    path,
    () =>
      route().catch((error) => {
        onFailure(error);
        return plainText(500, 'something went wrong; see the log\n');
      }),
  ]);
  return Object.fromEntries(guarded);
}

function plainText(status: number, text: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', text };
}

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

async function answer(routes: MonitorRoutes, request: IncomingMessage): Promise<Reply> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return plainText(404, `${Object.keys(routes).join(', ')}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainText(405, 'only GET and HEAD\n');
  return route();
}

function send(request: IncomingMessage, response: ServerResponse, { status, contentType, text }: Reply) {
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
