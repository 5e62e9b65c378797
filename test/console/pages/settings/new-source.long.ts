// @module-tag chromium
import type { Browser } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { sharedBrowser } from '../../../support/browser.js';
import { sourceIsAdded } from './new-source-trial.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

it.each([['without script', false] as const])(
  'from a sample to its first accepted row in at most 12 clicks, while an editor changes the file: %s',
  async (_, javaScriptEnabled) => sourceIsAdded(browser, javaScriptEnabled),
  120_000,
);
