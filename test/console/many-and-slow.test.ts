import { EventEmitter } from 'node:events';
import { get, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import { streamOfPieces } from '../../src/console/pages/page.js';
import { textReader } from '../../src/console/server/bodies/body-receiver.js';
import { serveAt, shareConnections } from '../../src/console/server/listen.js';
import type { AppEnv } from '../../src/console/server/request.js';
import { statusOf } from '../../src/console/work/status-of.js';
import { type Clock, systemClock } from '../../src/domain/clock.js';
import { OperatorError } from '../../src/domain/operator-error.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { manualClock } from '../support/manual-clock.js';
import { testLedger } from '../support/staged-ledger.js';
import { until } from '../support/workspace.js';

async function opened() {
  const context = actionContext(testLedger(systemClock()));
  return testConsole(() => context);
}

it('two hundred requests at once are all answered', async () => {
  const { url, failures } = await opened();
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      fetch(new URL(index % 2 === 0 ? '/' : '/files', url)).then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      }),
    ),
  );
  expect([...new Set(statuses)]).toEqual([200]);
  expect(failures).toEqual([]);
});

it('hundreds of stalled requests keep no visitor out', async () => {
  const { url } = await opened();
  const { hostname, port } = new URL(url);
  const slow = await Promise.all(
    Array.from({ length: 300 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      return new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)));
    }),
  );
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ');
  expect((await fetch(url)).status).toBe(200);
});

it('an address has its share of connections, and gets it back as they close', () => {
  const server = new EventEmitter();
  shareConnections(server as unknown as Server, (address) => address === '10.0.0.9', 2);
  const connected = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, isOpen: true, destroy() {} });
    socket.destroy = () => {
      socket.isOpen = false;
    };
    server.emit('connection', socket);
    return socket;
  };
  const opened = (address: string, count: number) =>
    Array.from({ length: count }, () => connected(address)).filter(({ isOpen }) => isOpen);
  const [first] = opened('10.0.0.1', 2);
  expect(opened('10.0.0.1', 3)).toHaveLength(0);
  expect(opened('10.0.0.2', 3)).toHaveLength(2);
  expect(opened('10.0.0.9', 5)).toHaveLength(5);
  first?.emit('close');
  expect(opened('10.0.0.1', 3)).toHaveLength(1);
});

it('metrics are served to IP addresses and localhost, not to another name that resolves to this machine', async () => {
  const context = actionContext(testLedger(systemClock()));
  const route = async () => ({ status: 200, contentType: 'text/plain', text: 'x 1' });
  const { url } = await testConsole(() => context, {
    monitor: { '/metrics': route, '/healthz': route } as never,
  });
  const statusOf = (path: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      get(new URL(path, url), { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on('error', reject);
    });
  expect(await statusOf('/metrics', 'evil.example')).toBe(421);
  expect(await statusOf('/metrics', '10.1.2.3:8480')).toBe(200);
  expect(await statusOf('/metrics', '[fd00::1]:8480')).toBe(200);
  expect(await statusOf('/metrics', 'localhost:1')).toBe(200);
  expect(await statusOf('/healthz', 'evil.example')).toBe(200);
});

it('a form that arrives a byte at a time is cancelled, and one that is too large is not read', async () => {
  const sent = async (stream: string | ReadableStream, clock: Clock) => {
    const app = new Hono<AppEnv>();
    const read = textReader(clock, { minBytes: 10, perMs: 5_000, maxConcurrent: 9 }, 10);
    app.post('/', async (c) => c.text(await read(c)));
    app.onError((error, c) => c.text('', error instanceof OperatorError ? statusOf(error) : 500));
    const server = await serveAt(app.fetch as Hono['fetch'], { host: '127.0.0.1', port: 0 }, null);
    onTestFinished(() => server.close());
    const init = { method: 'POST', body: stream, duplex: 'half' as const };
    const answer = await fetch(`http://127.0.0.1:${server.port}/`, init);
    return [answer.status, await answer.text()];
  };
  const dripping = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([97])) });
  const large = new ReadableStream({
    start(stream) {
      stream.enqueue(new Uint8Array(11));
      stream.close();
    },
  });
  expect(await sent('a=1', systemClock())).toEqual([200, 'a=1']);
  expect(await sent(large, systemClock())).toEqual([413, '']);
  expect(await sent(dripping, manualClock())).toEqual([408, '']);
});

it('an answer that takes long to compute keeps its connection', async () => {
  const app = new Hono();
  app.get('/', async (c) => {
    await systemClock().sleep(400);
    return c.text('done');
  });
  const server = await serveAt(app.fetch, { host: '127.0.0.1', port: 0 }, null, 100);
  onTestFinished(() => server.close());
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('done');
});

it('an answer that pauses after it began keeps its connection', async () => {
  const app = new Hono();
  const pieces = async function* () {
    yield 'begun ';
    await systemClock().sleep(400);
    yield 'done';
  };
  app.get('/', (c) => c.body(streamOfPieces(pieces())));
  const server = await serveAt(app.fetch, { host: '127.0.0.1', port: 0 }, null, 100);
  onTestFinished(() => server.close());
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('begun done');
});

it('a browser that stops reading its answer is disconnected, and no more is read for it', async () => {
  let pieces = 0;
  let isLeft = false;
  const endless = async function* () {
    try {
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(65_536);
      }
    } finally {
      isLeft = true;
    }
  };
  const app = new Hono();
  app.get('/', (c) => c.body(streamOfPieces(endless())));
  const server = await serveAt(app.fetch, { host: '127.0.0.1', port: 0 }, null, 500);
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await until('what is read for it has ended', () => isLeft);
  // As much as the system buffers for both sides.
  expect(pieces * 65_536).toBeLessThan(32_000_000);
  socket.destroy();
});

it('an idle connection is closed', async () => {
  const server = await serveAt(new Hono().fetch, { host: '127.0.0.1', port: 0 }, null, 100);
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
});
