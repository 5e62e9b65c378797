import { expect, it } from 'vitest';
import type { Role } from '../../src/domain/access/role.js';
import { systemClock } from '../../src/domain/clock.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { consoleSettings } from '../support/console-settings.js';
import { hashedPassword } from '../support/hashed-password.js';
import { testLedger } from '../support/staged-ledger.js';

const PASSWORD = 'correct horse battery';

/** A console that knows one user, Ada. */
async function withAda(role: Role = 'operator', settings: object = {}) {
  const users = [{ name: 'ada', role, password: hashedPassword(PASSWORD) }];
  const ledger = testLedger(systemClock());
  let context = actionContext(ledger, { console: consoleSettings({ users, ...settings }) });
  const served = await testConsole(() => context);
  const lose = () => {
    context = actionContext(ledger, { console: consoleSettings({ users: [{ ...users[0], name: 'eve' }] }) });
  };
  return { ...served, lose };
}

/** A visitor who has signed in. */
async function inside(served: Awaited<ReturnType<typeof withAda>>) {
  const visitor = served.visitor();
  await visitor.get('/log-in');
  const answer = await visitor.post('/log-in', { name: 'Ada', password: PASSWORD, to: '/doctor' });
  return { visitor, answer };
}

it('an unknown visitor is sent to the sign-in, and afterwards to the requested page', async () => {
  const served = await withAda();
  const visitor = served.visitor();
  const refused = await visitor.get('/doctor?sort=check');
  expect([refused.status, refused.headers.get('location')]).toEqual([
    303,
    '/log-in?to=%2Fdoctor%3Fsort%3Dcheck',
  ]);
  const { visitor: ada, answer } = await inside(served);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/doctor']);
  const page = await ada.get('/doctor');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<bdi>ada</bdi>');
});

it('a sign-in redirects to no other host', async () => {
  const served = await withAda();
  const visitor = served.visitor();
  await visitor.get('/log-in?to=//evil.example');
  const answer = await visitor.post('/log-in', { name: 'ada', password: PASSWORD, to: '//evil.example' });
  expect(answer.headers.get('location')).toBe('/');
});

it('a secret planted in the browser before the sign-in opens no session after it', async () => {
  const served = await withAda();
  const attacker = served.visitor();
  await attacker.get('/log-in');
  const visitor = served.visitor();
  for (const [name, value] of attacker.cookies) visitor.cookies.set(name, value);
  await visitor.get('/log-in');
  await visitor.post('/log-in', { name: 'ada', password: PASSWORD });
  expect((await visitor.get('/')).status).toBe(200);
  expect((await attacker.get('/')).status).toBe(303);
});

it('a sign-out ends the session even for a kept cookie, and requires the form’s token', async () => {
  const { visitor } = await inside(await withAda());
  await visitor.get('/');
  const kept = new Map(visitor.cookies);
  expect((await visitor.post('/log-out', { token: 'wrong' })).status).toBe(403);
  expect((await visitor.post('/log-out', {})).headers.get('location')).toBe('/log-in');
  for (const [name, value] of kept) visitor.cookies.set(name, value);
  expect((await visitor.get('/')).status).toBe(303);
});

it('a wrong password says no more than that, and too many are refused for a while', async () => {
  const served = await withAda();
  const visitor = served.visitor();
  await visitor.get('/log-in');
  const tries: [number, boolean][] = [];
  for (const name of ['ada', 'nobody', 'ada', 'ada', 'ada', 'ada', 'ada']) {
    const answer = await visitor.post('/log-in', { name, password: 'wrong' });
    tries.push([answer.status, (await answer.text()).includes('Name or password is wrong.')]);
  }
  expect(tries).toEqual([...Array(6).fill([401, true]), [429, false]]);
  const right = await visitor.post('/log-in', { name: 'ada', password: PASSWORD });
  expect([right.status, Number(right.headers.get('retry-after')) > 60]).toEqual([429, true]);
});

it('an open page reads whether the ledger has changed, and that its session has ended', async () => {
  const served = await withAda();
  const { visitor } = await inside(served);
  const byItself = { 'x-registrar-live': '1' };
  expect((await visitor.get('/doctor', byItself)).status).toBe(200);
  expect(await (await visitor.get('/pulse', byItself)).text()).toMatch(/^[0-9a-f]{64}$/);
  await visitor.post('/log-out', {});
  for (const path of ['/doctor', '/pulse']) expect((await visitor.get(path, byItself)).status).toBe(401);
});

it('a form whose session has ended leads back to its page after the sign-in', async () => {
  const served = await withAda();
  const visitor = served.visitor();
  const sent = await visitor.post(
    '/run',
    {},
    { referer: `${served.url}/files?source=academy`, origin: served.url },
  );
  const to = sent.headers.get('location') ?? '';
  expect([sent.status, to]).toEqual([303, '/log-in?to=%2Ffiles%3Fsource%3Dacademy&ended=yes']);
  const form = await (await visitor.get(to)).text();
  expect(form).toContain('Your session has ended.');
  expect(form).not.toContain('aria-invalid');
  const foreign = await visitor.post(
    '/run',
    {},
    { referer: 'https://evil.example/x', origin: 'https://evil.example' },
  );
  expect(foreign.headers.get('location')).toBe('/log-in?to=%2F&ended=yes');
});

it('a user who is removed from registrar.yaml loses access at once', async () => {
  const served = await withAda();
  const { visitor } = await inside(served);
  expect((await visitor.get('/')).status).toBe(200);
  served.lose();
  expect((await visitor.get('/')).status).toBe(303);
});

it('a viewer can send no form', async () => {
  const { visitor } = await inside(await withAda('auditor'));
  await visitor.get('/doctor');
  const answer = await visitor.post('/doctor', {});
  expect([answer.status, await answer.text()]).toEqual([
    403,
    expect.stringContaining('This is for operators'),
  ]);
});

it('the name of the installation is in the head and the title of each page, the sign-in among them', async () => {
  const served = await withAda('operator', { name: 'Acceptance <2>' });
  const outside = await (await served.visitor().get('/log-in')).text();
  expect(outside).toContain('<title>Sign in · Acceptance &lt;2&gt; · Registrar</title>');
  const { visitor } = await inside(served);
  const page = await (await visitor.get('/runs')).text();
  expect(page).toContain('<title>Runs · Acceptance &lt;2&gt; · Registrar</title>');
  expect(page).toContain('<a href="/">Registrar <span><bdi>Acceptance &lt;2&gt;</bdi></span></a>');
});
