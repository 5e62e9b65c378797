// @module-tag chromium
import type { Browser } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { systemClock } from '../../../../src/domain/clock.js';
import { stageContent } from '../../../staging/staging-bench.js';
import { expectAccessible, looked, openPage } from '../../../support/accessible.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger } from '../../../support/browsed-ledger.js';
import { sharedBrowser } from '../../../support/browser.js';
import { testConsole } from '../../../support/console.js';
import { testLedger } from '../../../support/staged-ledger.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

const PAGES = [
  '/attention',
  '/attention?search=zzz',
  '/attention/rows',
  '/attention/rows?states=rejected&chosen=page',
  '/attention/rows?states=accepted&search=zzz',
  '/decide/rerun?all=true',
  '/decide/rerun?rows=1&rows=1%3A4',
  '/decide/rerun',
  '/decide/dismiss?all=true',
  '/decide/dismiss?drop=3',
  '/decide/map',
  '/decide/map?old=zq%40northwind.example&new=z.quimby%40northwind.example',
  '/decide/restage?drop=1',
  '/rows/1',
  '/rows/2',
  '/rows/1%3A4',
  '/learners',
] as const;

it('no page about what needs attention has an accessibility fault in any look', async () => {
  const ledger = await browsedLedger();
  await stageContent(ledger, 'nothing,known\n1,2\n');
  const context = { ...actionContext(ledger), clock: systemClock() };
  const { url } = await testConsole(() => context);
  for (const path of looked(PAGES)) {
    const page = await openPage(browser, `${url}${path}`);
    if (process.env.PICTURES) {
      const name = path.replace(/\W+/g, '-');
      await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
    }
    await expectAccessible(page);
  }
});

it.each(looked(['/attention', '/attention/rows', '/learners']))(
  '%s of an empty ledger has no accessibility fault either',
  async (path) => {
    const context = actionContext(testLedger(systemClock()));
    const { url } = await testConsole(() => context);
    const page = await openPage(browser, `${url}${path}`);
    await expectAccessible(page);
  },
);
