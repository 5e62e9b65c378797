import { request } from 'node:http';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { testLedger } from '../support/staged-ledger.js';

async function opened() {
  const context = actionContext(testLedger(systemClock()));
  return testConsole(() => context);
}

it('each page has headers that block everything but its own parts, and is cached nowhere', async () => {
  const { visitor } = await opened();
  const { status, headers } = await visitor().get('/');
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.getSetCookie()[0]).toMatch(/^registrar-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
});

it('a form is taken only with the token of the browser that it was made for, and from this origin', async () => {
  const { visitor, url } = await opened();
  const [own, other] = [visitor(), visitor()];
  await own.get('/doctor');
  await other.get('/doctor');
  const sent = (headers: Readonly<Record<string, string>>, token = own.token) =>
    own.post('/doctor', { token }, headers).then(({ status }) => status);
  expect(await sent({})).toBe(200);
  expect(await sent({ origin: url, 'sec-fetch-site': 'same-origin' })).toBe(200);
  await own.get('/doctor');
  expect(await sent({}, other.token)).toBe(403);
  expect(await sent({}, '')).toBe(403);
  expect(await sent({ origin: 'http://evil.example' })).toBe(403);
  expect(await sent({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await sent({ 'content-type': 'text/plain' })).toBe(403);
});

it('a request under another host’s name is refused', async () => {
  const { url } = await opened();
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  expect(await statusFor('evil.example')).toBe(421);
  expect(await statusFor('127.0.0.1.evil.example')).toBe(421);
  expect(await statusFor('localhost:9999')).toBe(200);
});

it('an unknown address answers 404, and no path leads out of the console', async () => {
  const { visitor } = await opened();
  for (const path of ['/nothing', '/assets/../../package.json', '/assets/%2e%2e/package.json']) {
    const { status } = await visitor().get(path);
    expect([path, status]).toEqual([path, 404]);
  }
});

it('the sign-in page says where registrar.yaml has no user', async () => {
  const { visitor } = await opened();
  const page = await (await visitor().get('/log-in')).text();
  expect(page).toContain('No users yet');
  expect(page).not.toContain('proxy');
});

it('an unknown source is named without markup', async () => {
  const { visitor } = await opened();
  const page = await (await visitor().get('/report?source=zz')).text();
  expect(page).toContain('>registrar.yaml has no source');
});
