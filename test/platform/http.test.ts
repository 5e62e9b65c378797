import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { createHttp } from '../../src/platform/http.js';
import { MAY_LEAVE, rawServer } from './fixtures.js';

function exchangeWith(url: string) {
  const http = createHttp(systemClock(), true);
  onTestFinished(() => http.close());
  const request = { method: 'POST', url: `${url}/`, headers: {}, body: '{}' };
  return (signal: AbortSignal) => http.exchange(request, { deadlineMs: 5_000, mayLeave: MAY_LEAVE, signal });
}

it('a request cancelled once sent is known as sent, and one cancelled before as not', async () => {
  const stop = new AbortController();
  const exchange = exchangeWith(await rawServer((socket) => socket.once('data', () => stop.abort())));
  expect((await exchange(stop.signal)).failure).toMatchObject({ code: 'interrupted', sent: true });
  expect((await exchange(stop.signal)).failure).toMatchObject({ code: 'interrupted', sent: false });
});

it('a request cancelled while connecting is not written when the connection comes', async () => {
  let written = '';
  const url = await rawServer((socket) =>
    socket.on('data', (chunk) => {
      written += chunk;
    }),
  );
  const exchange = exchangeWith(url);
  const stop = new AbortController();
  const sending = exchange(stop.signal);
  stop.abort();
  expect((await sending).failure).toMatchObject({ code: 'interrupted', sent: false });
  // The same connections' next request shows that the first has come meanwhile.
  await exchange(AbortSignal.timeout(150));
  expect(written.match(/POST /g)).toHaveLength(1);
});
