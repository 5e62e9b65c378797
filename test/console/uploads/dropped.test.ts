// @module-tag chromium
import { Buffer } from 'node:buffer';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from '../../support/browser.js';
import { testConsole } from '../../support/console.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { testWorkspace } from '../../support/workspace.js';
import { workspaceContext } from '../../support/workspace-context.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

const CSV = csvOf([...exportRows(2), exportRow(5, { at: '<b>never</b>' })]);

async function inBrowser(javaScriptEnabled: boolean) {
  const workspace = await testWorkspace();
  const own = await workspaceContext(workspace);
  const context = {
    ...own,
    config: { ...own.config, console: { ...own.config.console, largestUploadBytes: 100_000 } },
  };
  const { url, failures } = await testConsole(() => context);
  const page = await browser.newPage({ javaScriptEnabled });
  await page.goto(`${url}/files`);
  return { page, workspace, failures };
}

it('a file that is dragged onto the page is sent, shown and imported', async () => {
  const { page, workspace, failures } = await inBrowser(true);
  // As text, because the tests are compiled without the types of a browser.
  const dragged = (name: string, text: string) =>
    page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      return data;
    })()`);
  const area = page.locator('form[data-drop]');
  await area.dispatchEvent('drop', { dataTransfer: await dragged('big.csv', 'x'.repeat(100_001)) });
  expect(await page.locator('[data-progress]').textContent()).toBe('The file is too large.');
  await area.dispatchEvent('dragover', { dataTransfer: await dragged('march.csv', CSV) });
  expect(await area.getAttribute('class')).toContain('over');
  await area.dispatchEvent('drop', { dataTransfer: await dragged('march.csv', CSV) });
  await page.waitForURL(/\/files\/uploads\//);
  expect(await page.locator('main').textContent()).toContain('2 staged, 1 invalid');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.waitForURL(/\/files\?source=academy/);
  expect(workspace.files('inbox')).toEqual(['academy/march.csv']);
  expect(await page.locator('#inboxes').textContent()).toContain('march.csv');
  expect(failures).toEqual([]);
});

it('without script the button does the same', async () => {
  const { page, workspace } = await inBrowser(false);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.waitForURL(/\/files\/uploads\//);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.waitForURL(/\/files$/);
  expect(workspace.files('inbox')).toEqual([]);
});
