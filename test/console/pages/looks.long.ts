import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { expectAccessible, openPage } from '../../support/accessible.js';
import { actionContext } from '../../support/action-context.js';
import { startBrowser } from '../../support/browser.js';
import { testConsole } from '../../support/console.js';
import { testLedger } from '../../support/staged-ledger.js';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

it.each(['/', '/doctor', '/nothing'])('%s has no fault of accessibility in any look', async (path) => {
  const context = actionContext(testLedger(systemClock()));
  const { url } = await testConsole(() => context);
  const page = await openPage(browser, `${url}${path}`);
  await expectAccessible(page);
  await page.context().close();
});
