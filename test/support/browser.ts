import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './find-program.js';
import { requireNeeds } from './needs.js';
import { IS_ROOT } from './users.js';

/** Starts Chromium without a window, for tests with the tag chromium. Close it when done. */
export async function startBrowser(): Promise<Browser> {
  requireNeeds(['chromium']);
  const executablePath = findProgram('chromium') ?? '';
  // Its sandbox refuses to run as root, as containers do; the pages are ours, and nothing is loaded from elsewhere.
  return chromium.launch({ executablePath, args: IS_ROOT ? ['--no-sandbox'] : [] });
}
