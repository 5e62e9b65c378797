import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { OperatorError } from '../../src/domain/operator-error.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { consoleSettings } from '../support/console-settings.js';
import { testLedger } from '../support/staged-ledger.js';

const PROXY = { addresses: ['10.9.8.7'], userHeader: 'X-Forwarded-User' };

it('a console reachable from other machines denies access once a reload leaves no user', async () => {
  const ledger = testLedger(systemClock());
  const url = 'https://registrar.example';
  let context = actionContext(ledger, { console: consoleSettings({ url, proxy: PROXY }) });
  const served = await testConsole(() => context, { listen: { host: '0.0.0.0', port: 0 } });
  context = actionContext(ledger, { console: consoleSettings({}) });
  const at = `http://${served.address}`;
  const page = await fetch(`${at}/`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/log-in?to=%2F']);
  expect((await fetch(`${at}/api/v1/status`)).status).toBe(401);
});

it('a console behind a proxy doesn’t start without users', async () => {
  const settings = consoleSettings({ url: 'https://registrar.example', listen: '127.0.0.1:0' });
  const context = actionContext(testLedger(systemClock()), { console: settings });
  const starting = testConsole(() => context);
  await expect(starting).rejects.toThrow(OperatorError);
  await expect(starting).rejects.toThrow(/https:\/\/registrar\.example is reached from other machines/);
});
