import { request } from 'node:http';
import { expect, it } from 'vitest';
import { addToken, revokeToken } from '../../../src/actions/access/tokens.js';
import { rateLimit } from '../../../src/console/api/api-caller.js';
import { actionContext } from '../../support/action-context.js';
import { testConsole } from '../../support/console.js';
import { decider } from '../../support/decider.js';
import { manualClock } from '../../support/manual-clock.js';
import { testLedger } from '../../support/staged-ledger.js';

const USERS = [{ name: 'eve', role: 'operator' as const, password: 'scrypt:x' }];

async function api(users = USERS) {
  const ledger = testLedger();
  const { console: settings } = actionContext(ledger).config;
  const context = actionContext(ledger, { console: { ...settings, users } });
  const { url, failures } = await testConsole(() => context);
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) =>
    fetch(new URL(`/api/v1${path}`, url), { redirect: 'manual', ...init, headers });
  const token = async (role: 'viewer' | 'operator' | 'auditor', name = 'job') => {
    const { secret } = await addToken(context, { name, role }, decider('ada'));
    return { authorization: `Bearer ${secret}` };
  };
  return { ask, token, context, url, failures };
}

it('a caller without a valid token gets instructions, and nothing else', async () => {
  const { ask } = await api();
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic eve:x' },
    { cookie: 'registrar-1=x' },
  ]) {
    const answer = await ask('/status', headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="registrar"');
    expect(await answer.json()).toMatchObject({ type: 'urn:registrar:problem:unauthenticated', status: 401 });
  }
});

it('a valid token is enough, until it is revoked', async () => {
  const { ask, token, context } = await api();
  const headers = await token('viewer');
  expect((await ask('/status', headers)).status).toBe(200);
  await revokeToken(context, 'job', decider('ada'));
  expect((await ask('/status', headers)).status).toBe(401);
});

it('after many wrong tokens an address has to wait, and a program with a valid one still gets answers', async () => {
  const { ask, token } = await api();
  const valid = await token('viewer');
  const wrong = { authorization: 'Bearer wrong' };
  for (let tries = 0; tries < 20; tries += 1) expect((await ask('/status', wrong)).status).toBe(401);
  const limited = await ask('/status', wrong);
  expect([limited.status, Number(limited.headers.get('retry-after')) <= 60]).toEqual([429, true]);
  expect(limited.headers.get('ratelimit')).toMatch(/^"wrong-tokens";r=0;t=\d+$/);
  expect((await ask('/status', valid)).status).toBe(200);
});

it('each program has a limit of its own, which every answer says, and which ends with the minute', async () => {
  const { ask, token } = await api();
  const headers = await token('viewer');
  await ask('/status', headers);
  const second = await ask('/status?x=1', headers);
  expect(second.headers.get('ratelimit-policy')).toBe('"requests";q=1200;w=60');
  expect(second.headers.get('ratelimit')).toMatch(/^"requests";r=1198;t=\d+$/);

  const clock = manualClock();
  const limit = rateLimit(clock, 'few', 2);
  expect([1, 2, 3].map(() => limit.count('a').isOver)).toEqual([false, false, true]);
  expect(limit.count('b').isOver).toBe(false);
  await clock.pass(59_000);
  expect(limit.count('a')).toMatchObject({
    isOver: true,
    resetS: 1,
    headers: { ratelimit: '"few";r=0;t=1' },
  });
  await clock.pass(1_000);
  expect(limit.count('a').isOver).toBe(false);
});

it('without users in registrar.yaml, a program of this machine needs no token, and a browser gets nothing', async () => {
  const { ask } = await api([]);
  expect((await ask('/status')).status).toBe(200);
  for (const header of ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest'])
    expect([header, (await ask('/status', { [header]: 'x' })).status]).toEqual([header, 401]);
  expect((await ask('/status', { authorization: 'Bearer wrong' })).status).toBe(401);
});

it('an unknown address and an unsupported method are reported as JSON', async () => {
  const { ask, token } = await api();
  const headers = await token('operator');
  const missing = await ask('/nothing', headers);
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { title: expect.any(String), detail: 'there is no such address', instance: '/api/v1/nothing' },
  ]);
  const method = await ask('/status', headers, { method: 'DELETE' });
  expect([method.status, await method.json()]).toMatchObject([405, { hint: 'It accepts GET.' }]);
  expect((await ask('/nothing')).status).toBe(401);
});

it('a refused query names all its mistakes', async () => {
  const { ask, token } = await api();
  const answer = await ask('/status?verbose=1&of=all', await token('viewer'));
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    {
      errors: [
        { in: 'query', field: 'verbose', message: 'is not a field of this request' },
        { in: 'query', field: 'of', message: 'is not a field of this request' },
      ],
    },
  ]);
});

it('a bug shows the caller no detail', async () => {
  const { ask, token, context, failures } = await api();
  const headers = await token('viewer');
  Object.assign(context, { config: { ...context.config, schedule: null } });
  const answer = await ask('/status', headers);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('null');
  expect(failures).toHaveLength(1);
});

it('a body that is too large is not waited for', async () => {
  const { url, token } = await api();
  const headers = {
    ...(await token('operator')),
    'content-type': 'application/json',
    'content-length': 5_000_001,
  };
  const status = await new Promise((resolve, reject) => {
    const sending = request(new URL('/api/v1/runs', url), { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve([answer.statusCode, answer.headers.connection]);
      sending.destroy();
    });
    sending.on('error', reject);
    sending.flushHeaders();
  });
  expect(status).toEqual([413, 'close']);
});
