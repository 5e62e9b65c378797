import { appendFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { changingConsole } from '../../../support/changing-console.js';
import { until } from '../../../support/workspace.js';

const SAMPLE = Buffer.from(
  [
    'Wer;Was;Wann;Wie',
    'learner0@example.org;C-1;03.04.2026;bestanden',
    'learner1@example.org;C-2;05.04.2026;bestanden',
    '',
  ].join('\n'),
);

/** From a sample to its first accepted row in at most 12 clicks, while an editor changes the file. */
export async function sourceIsAdded(browser: Browser, javaScriptEnabled: boolean): Promise<void> {
  const { url, yaml, file, workspace } = await changingConsole();
  const before = yaml();
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  let clicks = 0;
  const press = async (name: string) => {
    clicks += 1;
    await page.getByRole('button', { name, exact: true }).click();
  };
  const choose = async (label: string, value: string) => {
    clicks += 1;
    await page.getByLabel(label, { exact: true }).selectOption(value);
  };

  // A workspace without a file shows the form at once.
  await page.goto(url);
  await page.getByLabel('Name', { exact: true }).fill('skillbox');
  clicks += 1;
  await page
    .getByLabel('A real export')
    .setInputFiles({ name: 'april.csv', mimeType: 'text/csv', buffer: SAMPLE });
  await press('Preview');
  await choose('user-id (required)', 'Wer');
  await choose('content-id (required)', 'Was');
  await choose('completed-at (required)', 'Wann');
  await page.getByLabel('Time zone', { exact: true }).fill('Europe/Vienna');
  await press('Preview again');
  await choose('Order of dates', 'day-first');
  await press('Preview again');
  expect(await page.getByRole('status').first().textContent()).toContain('2 staged');

  appendFileSync(file, '# An editor was here.\n');
  await press('Save this source');
  expect(await page.getByRole('alert').first().textContent()).toContain('This has changed since');
  expect(yaml()).toBe(`${before}# An editor was here.\n`);
  await press('Save this source');
  await press('Import');
  await press('Import and deliver now');
  await until('the rows are accepted', () => workspace.states().accepted === 2);
  expect(clicks).toBeLessThanOrEqual(12);

  // The entries before are unchanged, in their order.
  const kept = `${before}# An editor was here.\n`;
  const now = yaml();
  const added = now.length - kept.length;
  const places = [...kept].map((_, at) => kept.slice(0, at) + now.slice(at, at + added) + kept.slice(at));
  expect(places).toContain(now);
  expect(now).toMatch(/^# Kept\.\n[\s\S]*name: skillbox[\s\S]*# The end\.\n# An editor was here\.\n$/);
  await context.close();
}
