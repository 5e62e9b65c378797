import { type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { actionContext } from '../../support/action-context.js';
import { testConsole } from '../../support/console.js';
import { consoleSettings } from '../../support/console-settings.js';
import { testLedger } from '../../support/staged-ledger.js';
import { isCutOff } from './endless-bodies.js';

// The long suite checks the other addresses.
it('an endless body is cut off at every address that accepts one, and nothing of it stays', () =>
  isCutOff((nth) => nth % 3 === 0));

it('outside this machine the cookie is sent only over TLS, to one host, and no script can read it', async () => {
  const context = actionContext(testLedger(systemClock()), {
    console: consoleSettings({
      url: 'https://registrar.example',
      proxy: { addresses: ['127.0.0.1'], userHeader: 'X-User' },
      roles: { operator: ['ada'] },
    }),
  });
  const { address } = await testConsole(() => context);
  const ask = (headers: Readonly<Record<string, string>>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(
        `http://${address}/`,
        { headers: { host: 'registrar.example', 'x-user': 'ada', ...headers } },
        resolve,
      )
        .on('error', reject)
        .end();
    });
  const { headers, statusCode } = await ask({});
  expect(statusCode).toBe(200);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-registrar=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await ask({ host: 'evil.example' })).statusCode).toBe(421);
  expect((await ask({ host: 'registrar.example.evil.example' })).statusCode).toBe(421);
  expect((await ask({ host: 'registrar.example:444' })).statusCode).toBe(421);
});
