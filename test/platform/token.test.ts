import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/domain/clock.js';
import type { Fault } from '../../src/domain/environment/fault.js';
import type { Gate } from '../../src/domain/environment/gate.js';
import { faultRemedy } from '../../src/platform/answers/fault-words.js';
import { createTokenSource, type TokenResult, tokenLifetimeMs } from '../../src/platform/token.js';
import { environmentAt, httpServer, permitTelling, rawServer, SECRET } from './fixtures.js';

/** Answers with the token `t-1`, then `t-2`, … and these further members. */
function tokenHost(more: Record<string, unknown> = { expires_in: 3600 }) {
  let issued = 0;
  return httpServer((_, response) => {
    issued += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: `t-${issued}`, token_type: 'bearer', ...more }));
  });
}

/** A token host that answers everything alike. */
function hostAnswering(status: number, body = '', headers: Record<string, string> = {}) {
  return httpServer((_, response) => response.writeHead(status, headers).end(body));
}

/** A source over a clock moved by hand and a gate that records how its permits end. */
function sourceAt(url: string, more: Record<string, unknown> = {}, signal?: AbortSignal) {
  const moved = { ms: 0 };
  const clock: Clock = { ...systemClock(), monotonicMs: () => moved.ms };
  const calls: string[] = [];
  const gate: Gate = {
    async acquire(purpose, deadlineMs, gateSignal) {
      if (gateSignal?.aborted) return null;
      calls.push(`${purpose} ${deadlineMs}`);
      return permitTelling(calls);
    },
  };
  const source = createTokenSource({ environment: environmentAt(url, more), gate, clock, signal });
  onTestFinished(() => source.close());
  return { source, calls, moved };
}

async function outcomeAt(url: string, more: Record<string, unknown> = {}) {
  const result = await sourceAt(url, more).source.get('completions:write');
  if ('token' in result) throw new Error('a token came');
  return result.outcome;
}

describe('a token request', () => {
  it('is a form with the client credentials and the scope', async () => {
    const { url, received } = await tokenHost();
    expect(await sourceAt(`${url}/`).source.get('completions:write')).toEqual({ token: 't-1' });
    expect(received[0]?.url).toBe('/oauth/token');
    expect(received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'sandbox-client',
      client_secret: SECRET,
      scope: 'completions:write',
    });
  });

  it('acquires a permit and releases it when answered', async () => {
    const { url } = await tokenHost();
    const { source, calls } = sourceAt(url);
    await source.get('completions:write');
    expect(calls).toEqual(['token 5000', 'answered']);
  });

  it('keeps the permit without an answer, and returns it unused when nothing was sent', async () => {
    const silent = sourceAt(await rawServer((socket) => socket.resume()), { deadline: '50ms' });
    await silent.source.get('s');
    expect(silent.calls).toEqual(['token 50', 'lost']);
    const refused = sourceAt('http://127.0.0.1:1');
    await refused.source.get('s');
    expect(refused.calls).toEqual(['token 5000', 'unused']);
  });

  it('stops before it requests a token when no work remains', async () => {
    const { url, received } = await tokenHost();
    const { source } = sourceAt(url, {}, AbortSignal.abort());
    expect(await source.get('s')).toMatchObject({ outcome: { kind: 'transient', mayBeWritten: false } });
    expect(received).toEqual([]);
  });

  it('an environment without its secret is a bug', () => {
    const environment = { ...environmentAt('http://127.0.0.1:1', {}), clientSecret: undefined };
    const gate = { acquire: async () => null };
    expect(() => createTokenSource({ environment, gate, clock: systemClock() })).toThrow(
      /without its secret/,
    );
  });
});

describe('cached tokens', () => {
  it('concurrent callers share one request', async () => {
    const { url, received } = await tokenHost();
    const { source } = sourceAt(url);
    const results = await Promise.all([1, 2, 3].map(() => source.get('completions:write')));
    expect(results).toEqual([{ token: 't-1' }, { token: 't-1' }, { token: 't-1' }]);
    expect(received).toHaveLength(1);
  });

  it('each scope has a token of its own', async () => {
    const { url } = await tokenHost();
    const { source } = sourceAt(url);
    const results = await Promise.all([source.get('a'), source.get('b')]);
    expect(new Set(results.map((result) => 'token' in result && result.token)).size).toBe(2);
    expect(await source.get('a')).toEqual(results[0]);
  });

  it.each([
    [5_184_000, 5_183_940_000],
    [3600, 3_540_000],
    ['3600', 3_540_000],
    [300, 270_000],
    [5, 4500],
    [1, 900],
    [undefined, 1_740_000],
    ['soon', 1_740_000],
  ])('with expires_in %j the token is used until %i ms have passed', async (expires_in, untilMs) => {
    const { url } = await tokenHost({ expires_in });
    const { source, moved } = sourceAt(url);
    await source.get('s');
    moved.ms = untilMs - 1;
    expect(await source.get('s')).toEqual({ token: 't-1' });
    moved.ms = untilMs;
    expect(await source.get('s')).toEqual({ token: 't-2' });
  });

  it('a refused token is not reused, and a late refusal changes nothing', async () => {
    const { url, received } = await tokenHost();
    const { source } = sourceAt(url);
    await source.get('s');
    source.refuse('t-1');
    expect(await source.get('s')).toEqual({ token: 't-2' });
    source.refuse('t-1');
    expect(await source.get('s')).toEqual({ token: 't-2' });
    expect(received).toHaveLength(2);
  });

  it('a failure is not remembered', async () => {
    let requests = 0;
    const { url } = await httpServer((_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(500).end();
      else response.end('{"access_token":"later"}');
    });
    const { source } = sourceAt(url);
    expect(await source.get('s')).toMatchObject({ outcome: { kind: 'transient' } });
    expect(await source.get('s')).toEqual({ token: 'later' });
  });
});

describe('no token', () => {
  it.each([400, 401, 403])('%i stops: the credentials or the scope are refused', async (status) => {
    const outcome = await outcomeAt((await hostAnswering(status)).url);
    expect(outcome).toMatchObject({
      kind: 'stop',
      stops: 'operation',
      reason: expect.stringMatching(/client id or secret.*"completions:write"/),
    });
  });

  it.each([301, 404, 405, 409, 501])('%i stops and points to authUrl', async (status) => {
    const outcome = await outcomeAt((await hostAnswering(status)).url);
    expect(outcome).toMatchObject({ kind: 'stop', reason: expect.stringMatching(`${status}.*authUrl`) });
  });

  it('429 is throttled, with wait and quota', async () => {
    const body = '{"errors":[{"detail":"Maximum 70 requests allowed per 1m."}]}';
    const outcome = await outcomeAt((await hostAnswering(429, body, { 'retry-after': '9' })).url);
    expect(outcome).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 10_000,
      quota: { requests: 70, per: '1m' },
    });
  });

  it.each([408, 500, 502, 503])('%i is transient, and nothing was written', async (status) => {
    const outcome = await outcomeAt((await hostAnswering(status, '', { 'retry-after': '9' })).url);
    expect(outcome).toMatchObject({ kind: 'transient', retryAfterMs: 10_000, mayBeWritten: false });
  });

  it('a timeout is transient as well: a token request is never in doubt', async () => {
    const url = await rawServer((socket) => socket.resume());
    const outcome = await outcomeAt(url, { deadline: '50ms' });
    expect(outcome).toMatchObject({ kind: 'transient', mayBeWritten: false });
  });

  it('a refused connection is tried again later', async () => {
    expect(await outcomeAt('http://127.0.0.1:1')).toMatchObject({
      kind: 'transient',
      reason: expect.stringMatching('ECONNREFUSED'),
    });
  });

  it.each([
    ['TLS closed', 'https', (socket: { end(): unknown }) => socket.end()],
    ['TLS reset', 'https', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
    ['a connection closed', 'http', (socket: { end(): unknown }) => socket.end()],
  ])('%s is transient, and says that credentials or host may belong elsewhere', async (_, scheme, close) => {
    const outcome = await outcomeAt(await rawServer(close, scheme));
    expect(outcome).toMatchObject({
      kind: 'transient',
      mayBeWritten: false,
    });
    const { code } = (outcome as { fault: Fault }).fault;
    expect(faultRemedy('main', { code, host: 'token' })).toMatch(
      /main.authUrl or the credentials of environments.main likely don't belong to this one/,
    );
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html>'],
    ['no token', '{"token_type":"bearer"}'],
    ['a token that isn’t text', '{"access_token":17}'],
    ['an empty token', '{"access_token":""}'],
    ['a token too long for a header', JSON.stringify({ access_token: 'x'.repeat(16_385) })],
    ['a token with characters that no header may have', '{"access_token":"a\\r\\nb"}'],
    ['null', 'null'],
  ])('a 200 with %s stops the environment', async (_, body) => {
    expect(await outcomeAt((await hostAnswering(200, body)).url)).toMatchObject({ kind: 'stop' });
  });

  it.each([200, 400, 403, 404, 429, 500])(
    'a %i that repeats the secret leaves no trace of it',
    async (status) => {
      const { url } = await httpServer((_, response, body) => {
        const answer = `${body} ${SECRET} half-a-token`;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            errors: [{ code: answer, title: answer, detail: answer, source: answer }],
            a: answer,
          }),
        );
      });
      const result: TokenResult = await sourceAt(url).source.get('completions:write');
      expect(result).toHaveProperty('outcome');
      const json = JSON.stringify(result);
      for (const text of [SECRET, encodeURIComponent(SECRET), 'half-a-token'])
        expect(json).not.toContain(text);
    },
  );
});

const HALF_AN_HOUR = 1_800_000;

it.each<[unknown, number]>([
  [3600, 3_600_000],
  ['3600', 3_600_000],
  [1, 1000],
  [1.5, 1500],
  [5_184_000, 5_184_000_000],
  [5_184_001, HALF_AN_HOUR],
  [0, HALF_AN_HOUR],
  [0.9, HALF_AN_HOUR],
  [-1, HALF_AN_HOUR],
  ['soon', HALF_AN_HOUR],
  ['', HALF_AN_HOUR],
  ['0x20', HALF_AN_HOUR],
  [null, HALF_AN_HOUR],
  [undefined, HALF_AN_HOUR],
  [true, HALF_AN_HOUR],
  [[60], HALF_AN_HOUR],
  [Number.NaN, HALF_AN_HOUR],
])('expires_in %j is %i ms', (expiresIn, expected) => {
  expect(tokenLifetimeMs(expiresIn)).toBe(expected);
});
