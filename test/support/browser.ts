import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Starts Chromium without a window: that of the variable CHROMIUM, else Debian's. Close it when done. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  try {
    accessSync(executablePath, constants.X_OK);
  } catch {
    throw new Error(
      `${executablePath} is no program that can be run. The tests of pages need Chromium: apt-get install chromium, or set CHROMIUM to the path of one.`,
    );
  }
  // Its sandbox refuses to run as root, as containers do; the pages are ours, and nothing is loaded from elsewhere.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}
