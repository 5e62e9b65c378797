// @module-tag chromium
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { requireKnownSettings } from '../../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../../staging/staging-bench.js';
import { openPage } from '../../support/accessible.js';
import { actionContext } from '../../support/action-context.js';
import { sharedBrowser } from '../../support/browser.js';
import { testConsole } from '../../support/console.js';
import { csvOf, exportRow } from '../../support/exports.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

/** A row that the platform accepted, one of an unknown learner, and three invalid ones. */
async function opened(path: string): Promise<Page> {
  const ledger = testLedger(systemClock());
  await requireKnownSettings(ledger, sourceOf(), null);
  const invalid = [3, 4, 5].map((n) => exportRow(n, { email: 'nobody' }));
  await stageContent(ledger, csvOf([exportRow(1), exportRow(2), ...invalid]));
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, 1, ACCEPTED);
  await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
  const context = actionContext(ledger, { sources: [sourceOf()] });
  const { url } = await testConsole(() => context);
  return openPage(browser, new URL(path, url).href);
}

it('a cell shows how it is read soon after typing, and keeps the focus', async () => {
  const page = await opened('/rows/1:4');
  const cell = page.locator('#cell-1\\:4-0');
  expect(await cell.getAttribute('aria-invalid')).toBe('true');
  await cell.fill('Ada@Example.org');
  await page.locator('#cell-1\\:4-0-reading', { hasText: 'Read as ada@example.org' }).waitFor();
  await page.locator('#outcome', { hasText: 'would be staged' }).waitFor();
  expect(await cell.getAttribute('aria-invalid')).toBeNull();
  expect(await cell.inputValue()).toBe('Ada@Example.org');
  expect(await page.evaluate('document.activeElement.id')).toBe('cell-1:4-0');
  await cell.fill('nobody again');
  await page.locator('#cell-1\\:4-0-reading', { hasText: 'is not one e-mail address' }).waitFor();
});

it('cells of a table are read during typing, and the reason is kept for the next decision', async () => {
  const page = await opened('/attention/rows?states=invalid');
  const cell = page.locator('#cell-1\\:4-0');
  await cell.fill('Ada@Example.org');
  await page.locator('#cell-1\\:4-0-reading', { hasText: 'Read as ada@example.org' }).waitFor();
  await page.locator('#outcome', { hasText: 'drop.csv:4 would be staged' }).waitFor();
  expect(await page.locator('#cell-1\\:5-0').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Why').fill('typos');
  await page.getByRole('button', { name: 'Save the corrections' }).click();
  await page.waitForURL(/saved=1/);
  expect(await page.getByLabel('Why').inputValue()).toBe('typos');
  expect(await page.locator('tbody tr').count()).toBe(2);
});

it('a box in the header selects all rows of a page for one decision', async () => {
  const page = await opened('/attention/rows?states=invalid');
  await page.getByLabel('Select page').check();
  await page.getByRole('button', { name: 'Dismiss selected' }).click();
  await page.waitForURL(/decide\/dismiss/);
  expect(await page.locator('#plan-title').textContent()).toBe('3 rows');
});

it('keyboard shortcuts move through a list, select, correct or open rows, and are listed', async () => {
  const page = await opened('/attention/rows');
  const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused()).toBe('1:4');
  await page.keyboard.press('x');
  expect(await page.getByLabel('Select 1:4').isChecked()).toBe(true);
  await page.keyboard.press('k');
  expect(await focused()).toBe('#2');
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  expect(await focused()).toBe('cell-1:4-0');
  await page.keyboard.press('j');
  expect(await page.locator('#cell-1\\:4-0').inputValue()).toContain('j');
  await page.locator('a', { hasText: '#2' }).first().focus();
  await page.keyboard.press('?');
  expect(await page.locator('#keys').textContent()).toContain('Next row of a list');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  expect(await focused()).toBe('find');
  await page.locator('a', { hasText: '#2' }).first().focus();
  await page.keyboard.press('e');
  await page.waitForURL(/rows\/2$/);
});

it('times are relative, local or UTC as the reader chooses, and the browser keeps the choice', async () => {
  const page = await opened('/runs');
  const time = page.locator('tbody time').first();
  expect(await time.textContent()).toBe('just now');
  expect(await time.getAttribute('title')).toMatch(
    /^\d\d \w{3} \d{4} \d\d:\d\d CES?T, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  );
  await page.getByLabel('Times').selectOption('UTC');
  expect(await time.textContent()).toMatch(/UTC$/);
  await page.reload();
  expect(await time.textContent()).toMatch(/UTC$/);
  expect(await time.getAttribute('title')).toMatch(/CES?T$/);
  await page.goto(`${new URL(page.url()).origin}/attention/rows?all=true`);
  const completed = page.locator('td[data-title="Completed"] time').first();
  await completed.evaluate((shown) => shown.setAttribute('datetime', new Date().toISOString()));
  await page.getByLabel('Times').selectOption('Relative');
  expect(await completed.textContent()).toMatch(/CES?T$/);
});

it('a chart shows all its lanes in the dark, and the sign-in is a narrow form', async () => {
  const page = await opened('/runs/1');
  await page.emulateMedia({ colorScheme: 'dark' });
  const fills = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.lane svg')].map((lane) => getComputedStyle(lane).fill)",
  );
  expect(fills.length).toBeGreaterThan(2);
  expect(fills).not.toContain('rgb(0, 0, 0)');
  await page.evaluate("document.body.classList.add('outside')");
  const width = await page.evaluate<number>("document.querySelector('main').clientWidth");
  expect(width).toBeLessThan(500);
});

it('on a phone a cell is beside its name; in a wider window the folded filter can be opened', async () => {
  const page = await opened('/attention/rows');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const inset = "parseFloat(getComputedStyle(document.querySelector('td[data-title]')).paddingLeft)";
  expect(await page.evaluate<number>(inset)).toBeGreaterThan(100);
  expect(await page.locator('.filter').first().isVisible()).toBe(false);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByText('Filter', { exact: true }).click();
  expect(await page.getByRole('button', { name: 'Show' }).isVisible()).toBe(true);
});
