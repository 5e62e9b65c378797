import { type Browser, chromium } from 'playwright-core';
import { afterFile } from './after-file.js';
import { findProgram } from './find-program.js';
import { requireNeeds } from './needs.js';
import { IS_ROOT } from './users.js';

let started: Promise<Browser> | undefined;

/**
 * Chromium without a window, for tests with the tag chromium: one for all files of a process, as to start it takes a second of a
 * processor. What a file has opened in it is closed after the file.
 */
export async function sharedBrowser(): Promise<Browser> {
  requireNeeds(['chromium']);
  started ??= startBrowser();
  const browser = await started;
  afterFile(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

async function startBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium') ?? '';
  // Its sandbox refuses to run as root, as containers do; the pages are ours, and nothing is loaded from elsewhere.
  const args = IS_ROOT ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args, handleSIGTERM: false });
  // By this vitest ends the process once no file is left.
  process.once('SIGTERM', () => void browser.close().finally(() => process.exit()));
  return browser;
}
