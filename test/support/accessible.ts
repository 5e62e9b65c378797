import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The looks in which each page must be without a fault. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { look: 'phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** Opens an address of a console in a browser of its own. The caller closes the page's context. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/**
 * Fails where axe-core finds a fault of accessibility in an open page, or where the page is wider than the screen: in the light look,
 * in the dark one, and on a phone. All that unfolds is unfolded before; the page is left as on a phone.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const faults: string[] = [];
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  await page.evaluate(axe.source);
  for (const { look, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        faults.push(`${look}: ${id}: ${html.slice(0, 200)} ${failureSummary}`);
    const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (width > viewport.width) faults.push(`${look}: the page is ${width} pixels wide`);
  }
  expect(faults, `faults of ${page.url()}`).toEqual([]);
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What is looked at: all by hand; every n-th with LOOKS_EVERY=n. */
export function looked<Page>(pages: readonly Page[]): readonly Page[] {
  const every = Number(process.env.LOOKS_EVERY ?? 1);
  return pages.filter((_, index) => index % every === 0);
}
