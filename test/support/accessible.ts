import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The themes and sizes in which each page must have no fault. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { look: 'phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** The page in which a file's tests open theirs: each further one starts a process of the browser. */
let shared: Page | undefined;

/** Opens an address of a console in the page of this file, which keeps nothing of what was open in it before but its choices. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  if (shared === undefined || shared.isClosed())
    shared = await browser.newPage({ timezoneId: 'Europe/Berlin' });
  await shared.goto('about:blank');
  await shared.context().clearCookies();
  await shared.emulateMedia({ colorScheme: null });
  await shared.setViewportSize({ width: 1280, height: 720 });
  await shared.goto(url);
  return shared;
}

/**
 * Fails where axe-core finds a fault of accessibility in an open page, or where the page is wider than the screen: in the light look,
 * in the dark one, and on a phone. All that unfolds is unfolded before; the page is left as on a phone.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const faults: string[] = [];
  await unfold(page);
  for (const { look, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    faults.push(...(await violations(page)).map((violation) => `${look}: ${violation}`));
    const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (width > viewport.width) faults.push(`${look}: the page is ${width} pixels wide`);
  }
  expect(faults, `faults of ${page.url()}`).toEqual([]);
}

/** Opens every `details`. As text, because these files are not compiled for a browser. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
}

/** Every rule of WCAG 2.2 A and AA and of best practice that the page breaks as it is now, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(VIOLATIONS);
}

/** All else that axe-core finds, above all what is right, takes twice as long to collect and to send as the rules themselves. */
const VIOLATIONS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

/** What is checked: everything by default; every n-th with LOOKS_EVERY=n. */
export function looked<Page>(pages: readonly Page[]): readonly Page[] {
  const every = Number(process.env.LOOKS_EVERY ?? 1);
  return pages.filter((_, index) => index % every === 0);
}
