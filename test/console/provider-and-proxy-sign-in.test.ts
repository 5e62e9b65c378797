import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { consoleSettings } from '../support/console-settings.js';
import { CLIENT, logInAtProvider, oidcProvider } from '../support/oidc-provider.js';
import { testLedger } from '../support/staged-ledger.js';

async function consoleWith(settings: object, port = 0) {
  const context = actionContext(testLedger(systemClock()), { console: consoleSettings(settings) });
  return testConsole(() => context, { listen: { host: '127.0.0.1', port } });
}

/** A provider that knows every person by their address, and a console in which Ada is an auditor. */
async function withProvider() {
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/log-in/done`;
  const provider = await oidcProvider(redirectUri, (subject) => ({
    email: `${subject}@example.org`,
    email_verified: true,
  }));
  onTestFinished(() => provider.stop());
  const oidc = { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret };
  const served = await consoleWith({ oidc, roles: { auditor: ['ada@example.org'] } }, port);
  return { served, redirectUri, provider };
}

it('a person signs in at a provider, has the role of registrar.yaml, and comes to the requested page', async () => {
  const { served, redirectUri } = await withProvider();
  const visitor = served.visitor();
  expect(await (await visitor.get('/log-in?to=/doctor')).text()).toContain('Single sign-on');
  const begun = await visitor.get('/log-in/provider?to=/doctor');
  const back = await logInAtProvider(begun.headers.get('location') ?? '', 'ada', redirectUri);
  const done = await visitor.get(back);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/doctor']);
  const page = await (await visitor.get('/doctor')).text();
  expect(page).toContain('ada@example.org');
  expect(page).toContain('auditor');
  expect((await visitor.post('/doctor', {})).status).toBe(403);
});

it('a provider’s answer signs in only the browser that began it, and only once', async () => {
  const { served, redirectUri } = await withProvider();
  const [visitor, other] = [served.visitor(), served.visitor()];
  await other.get('/log-in');
  const begun = await visitor.get('/log-in/provider');
  const back = await logInAtProvider(begun.headers.get('location') ?? '', 'ada', redirectUri);
  expect((await other.get(back)).status).toBe(403);
  expect((await visitor.get(back)).status).toBe(303);
  expect((await visitor.get(back)).status).toBe(403);
  expect((await other.get('/')).status).toBe(303);
});

it('a person without a role, and one whose provider is away, is shown a message', async () => {
  const { served, redirectUri, provider } = await withProvider();
  const visitor = served.visitor();
  const begun = await visitor.get('/log-in/provider');
  const back = await logInAtProvider(begun.headers.get('location') ?? '', 'eve', redirectUri);
  const refused = await visitor.get(back);
  expect(refused.status).toBe(403);
  expect((await visitor.get('/')).status).toBe(303);
  await provider.stop();
  const again = await consoleWith({
    oidc: { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
  });
  const away = await again.visitor().get('/log-in/provider');
  expect([away.status, await away.text()]).toEqual([503, expect.stringContaining('is unavailable')]);
  await provider.start();
});

it('a trusted proxy names the person with each request, and only its header counts', async () => {
  const proxy = { addresses: ['127.0.0.1'], userHeader: 'X-Forwarded-User' };
  const roles = { operator: ['ada'] };
  const served = await consoleWith({ proxy, roles });
  const visitor = served.visitor();
  const page = await visitor.get('/doctor', { 'x-forwarded-user': 'ada' });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<bdi>ada</bdi>')]);
  expect((await visitor.get('/doctor')).status).toBe(303);
  const eve = await visitor.get('/doctor', { 'x-forwarded-user': 'eve' });
  expect([eve.status, await eve.text()]).toEqual([403, expect.stringContaining('Sign-in refused')]);
  const elsewhere = await consoleWith({ proxy: { ...proxy, addresses: ['10.0.0.5'] }, roles });
  expect((await elsewhere.visitor().get('/doctor', { 'x-forwarded-user': 'ada' })).status).toBe(303);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
