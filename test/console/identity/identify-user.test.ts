import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { consoleSchema } from '../../../src/config/schema/console-schema.js';
import { clientAddress } from '../../../src/console/identity/identify-user.js';
import { systemClock } from '../../../src/domain/clock.js';
import { actionContext } from '../../support/action-context.js';
import { testConsole } from '../../support/console.js';
import { consoleSettings } from '../../support/console-settings.js';
import { testLedger } from '../../support/staged-ledger.js';

const PROXY = { addresses: ['127.0.0.1'], userHeader: 'X-Forwarded-User' };

function addressOf(forwarded: string | undefined, remoteAddress = '127.0.0.1', proxy: object | null = PROXY) {
  const settings = consoleSchema.parse(proxy === null ? {} : { proxy });
  return clientAddress(settings, {
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);
}

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['198.51.100.1,198.51.100.2,\t203.0.113.7 ', '203.0.113.7'],
  ['198.51.100.1, 2001:db8::7', '2001:db8::7'],
])('behind the proxy, %j is from the last address, the one that the proxy wrote', (forwarded, address) => {
  expect(addressOf(forwarded)).toBe(address);
});

it.each([undefined, '', '203.0.113.7,', '203.0.113.7, unknown', '203.0.113.7, 203.0.113.8:443'])(
  'behind the proxy, %j has no usable last address, and the proxy’s own one counts',
  (forwarded) => {
    expect(addressOf(forwarded)).toBe('127.0.0.1');
  },
);

it('the header means nothing from another machine, or without a proxy in registrar.yaml', () => {
  expect(addressOf('203.0.113.7', '192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf('203.0.113.7', '127.0.0.1', null)).toBe('127.0.0.1');
});

/** A console behind a proxy on this machine. */
function proxied() {
  // Of the lowest accepted cost, because 20 passwords are compared.
  const password = `scrypt:16384:8:1:${'A'.repeat(22)}:${'A'.repeat(43)}`;
  const users = [{ name: 'ada', role: 'operator', password }];
  const context = actionContext(testLedger(systemClock()), {
    console: consoleSettings({ users, proxy: PROXY }),
  });
  return testConsole(() => context);
}

/** Each request claims to be forwarded from another machine, ahead of what the proxy adds. */
const forgedBy = (n: number, address: string) => ({ 'x-forwarded-for': `198.51.100.${n}, ${address}` });

it('a browser can’t escape the sign-in limit by forging X-Forwarded-For, and locks out no other address', {
  timeout: 300_000,
}, async () => {
  const visitor = (await proxied()).visitor();
  await visitor.get('/log-in');
  const signIn = async (n: number, address: string) =>
    (await visitor.post('/log-in', { name: `user${n}`, password: 'x' }, forgedBy(n, address))).status;
  const statuses: number[] = [];
  for (let n = 0; n < 40 && statuses.at(-1) !== 429; n += 1) statuses.push(await signIn(n, '203.0.113.7'));
  expect(statuses.at(-1)).toBe(429);
  expect(await signIn(99, '203.0.113.8')).toBe(401);
});

it('a program can’t escape the limit of wrong tokens by forging X-Forwarded-For, and locks out no other address', async () => {
  const { url } = await proxied();
  const ask = async (n: number, address: string) => {
    const headers = { authorization: 'Bearer wrong', ...forgedBy(n, address) };
    return (await fetch(new URL('/api/v1/status', url), { headers })).status;
  };
  for (let n = 0; n < 20; n += 1) expect(await ask(n, '203.0.113.7')).toBe(401);
  expect(await ask(20, '203.0.113.7')).toBe(429);
  expect(await ask(21, '203.0.113.8')).toBe(401);
});
