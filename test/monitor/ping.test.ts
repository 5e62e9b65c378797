import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { type FailedPing, type PingEnd, withPings } from '../../src/monitor/ping.js';
import { manualClock } from '../support/manual-clock.js';

/** A server that waits for pings, and its requests. */
async function listener(status = 200) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (status > 0) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`;
  return { requests, ping: { job: 'run', url, start: `${url}/start`, fail: `${url}/fail` } };
}

/** Runs a job with pings, and returns its end and their requests. */
async function pingedAt(status: number, end: PingEnd | 'throws', clock = systemClock()) {
  const { requests, ping } = await listener(status);
  const failed: FailedPing[] = [];
  const work = async () => {
    if (end === 'throws') throw new Error('broken off');
    return end;
  };
  const context = { clock, onFailure: (one: FailedPing) => void failed.push(one) };
  const result = await withPings([ping], 'run', context, work, (one) => one).catch(
    (error: Error) => error.message,
  );
  return { result, requests, failed, host: new URL(ping.url).host };
}

it.each<[PingEnd | 'throws', readonly string[]]>([
  ['success', ['GET /secret-path/start', 'GET /secret-path']],
  ['fail', ['GET /secret-path/start', 'GET /secret-path/fail']],
  ['throws', ['GET /secret-path/start', 'GET /secret-path/fail']],
  ['stopped', ['GET /secret-path/start']],
])(
  'pings report work that ends with %s in order, and the work ends as it would without them',
  async (end, requests) => {
    const result = await pingedAt(200, end);
    expect(result).toMatchObject({
      requests,
      failed: [],
      result: end === 'throws' ? 'broken off' : end,
    });
  },
);

it('an address that refuses changes nothing, and is named by its host alone', async () => {
  const { result, failed, host } = await pingedAt(404, 'success');
  expect(result).toBe('success');
  expect(failed).toEqual([
    { job: 'run', host, step: 'start', reason: 'it answers 404' },
    { job: 'run', host, step: 'success', reason: 'it answers 404' },
  ]);
});

it('the ping of an address that never answers times out after ten seconds', async () => {
  const clock = manualClock();
  const before = clock.monotonicMs();
  const { result, failed } = await pingedAt(0, 'success', clock);
  expect(result).toBe('success');
  expect(failed.map(({ reason }) => reason)).toEqual(Array(2).fill('no answer within 10000 ms'));
  expect(clock.monotonicMs() - before).toBe(20_000);
});

it('an address without a server, and other jobs', async () => {
  const failed: FailedPing[] = [];
  const url = 'http://127.0.0.1:9/secret-path';
  const pings = [
    { job: 'run', url, start: url, fail: url },
    { job: 'report', url, start: url, fail: url },
  ];
  const context = { clock: systemClock(), onFailure: (one: FailedPing) => void failed.push(one) };
  expect(
    await withPings(
      pings,
      'purge',
      context,
      async () => 1,
      () => 'success',
    ),
  ).toBe(1);
  expect(failed).toEqual([]);
  expect(
    await withPings(
      pings,
      'report',
      context,
      async () => 2,
      () => 'success',
    ),
  ).toBe(2);
  expect(failed.map(({ job, step }) => [job, step])).toEqual([
    ['report', 'start'],
    ['report', 'success'],
  ]);
  expect(JSON.stringify(failed)).not.toContain('secret-path');
});
