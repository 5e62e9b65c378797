// @module-tag chromium
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, looked } from '../support/accessible.js';
import { sharedBrowser } from '../support/browser.js';
import type { LastingLine } from '../support/command-line.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { hashedPassword } from '../support/hashed-password.js';
import { type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

const PASSWORD = 'correct horse battery';

/** Five good rows, one with an unreadable time, one of a learner with a slip, one that the platform refuses once. */
const FILE = csvOf([
  ...exportRows(4),
  exportRow(4, { email: 'grace.hopper@example.org' }),
  exportRow(5, { at: 'the fifth of May' }),
  exportRow(6, { email: 'grace.hoper@example.org' }),
  exportRow(7, { course: 'REFUSED-1' }),
]);

it.each(
  looked([
    ['as browsers do', true],
    ['without script', false],
  ] as const),
)(
  'a person signs in, drops a file, sees it delivered, corrects each row, and sees the books balance: %s',
  async (_, javaScriptEnabled) => {
    const { workspace, service, url } = await served();
    const context = await browser.newContext({ javaScriptEnabled, timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });

    await page.goto(`${url}/files`);
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Files');

    // Drops the file, previews it, and imports it.
    await page.locator('input[type=file]').setInputFiles({
      name: 'march.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(FILE),
    });
    await page.locator('form:has(input[type=file]) button').click();
    await heading(page, 'march.csv: not imported yet');
    await page.getByText('7 staged, 1 invalid').waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await heading(page, 'Files');

    // The service delivers it; the overview follows by itself, or by being loaded again.
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await follows(page, javaScriptEnabled, '3 rows need attention');
    if (javaScriptEnabled) await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });

    // Corrects the invalid row.
    await page.goto(`${url}/attention/rows?states=invalid`);
    await page.getByRole('link', { name: '1:7' }).click();
    const cell = page.getByLabel('Completed on');
    await cell.fill('2024-05-05 10:00');
    if (javaScriptEnabled) await page.getByText('2024-05-05T08:00').first().waitFor();
    else {
      await page.getByRole('button', { name: 'Try' }).click();
      expect(await page.locator('main').textContent()).toContain('2024-05-05T08:00');
    }
    await page.getByLabel('Why').fill('the trainer said when');
    await page.getByRole('button', { name: /Save/ }).click();
    await page.getByText('the trainer said when').first().waitFor();

    // Maps the learner to a similar one.
    await page.goto(`${url}/learners`);
    const near = page.locator('form.near').first();
    await near.getByLabel('Why').fill('a slip of the pen');
    await near.getByRole('button', { name: /Map to/ }).click();
    await page.getByText('a slip of the pen').first().waitFor();

    // Sends the rows of a cause again.
    workspace.sandbox.platform.setFaults({});
    await page.goto(`${url}/attention`);
    await page.getByRole('link', { name: 'Rerun' }).first().click();
    expect(await page.locator('main').textContent()).toContain('1 request');
    await page.getByLabel('Why').fill('the platform is mended');
    await page.getByRole('button', { name: /^Rerun/ }).click();
    await page.getByText('This run delivers its rows.').waitFor();

    await until('all is delivered', () => workspace.states().accepted === 8, 30_000);
    await page.goto(url);
    await follows(page, javaScriptEnabled, 'All rows were delivered. Nothing needs attention.');
    expect(await page.locator('#verdict').textContent()).toContain(
      'The books balance: every row read is accounted for.',
    );
    await page.getByRole('link', { name: 'Full check' }).click();
    await page.getByRole('heading', { name: 'Proof' }).waitFor();

    expect(problems).toEqual([]);
    const decided = workspace.query<{ kind: string; who: string; door: string }>(
      'select kind, who, door from decision order by decision_id',
    );
    expect(decided).toEqual(
      ['correct', 'map', 'rerun'].map((kind) => ({ kind, who: 'ada', door: 'console' })),
    );
    await context.close();
    service.stop();
    expect((await service.ended).code).toBe(130);
    expect((await workspace.books()).balanced).toBe(true);
  },
  180_000,
);

it('usual tasks take few steps: a click, a choice or an entry each', async () => {
  const learners = Array.from({ length: 8 }, (_, n) => `ada.learner${String.fromCharCode(97 + n)}`);
  const slips = learners.map((name) => `${name.replace('learner', 'leaner')}@example.org`);
  const { workspace, service, url } = await served(slips);
  workspace.drop(
    'march.csv',
    csvOf([
      ...learners.map((name, n) => exportRow(n, { email: `${name}@example.org` })),
      ...slips.map((email, n) => exportRow(100 + n, { email })),
      ...Array.from({ length: 30 }, (_, n) => exportRow(200 + n, { email: `person${n}(at)example.org` })),
      exportRow(400, { email: 'anna.schmidt@example.org', at: 'the fifth of May' }),
    ]),
  );
  await until('all is answered', () => workspace.states().rejected === 8, 60_000);
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();

  /** Does one task from the overview, and counts its steps. */
  const task = async (work: (act: <T>(one: Promise<T>) => Promise<T>) => Promise<void>) => {
    await page.goto(url);
    let acts = 0;
    await work((one) => {
      acts += 1;
      return one;
    });
    return acts;
  };
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first();
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();

  const anna = await task(async (act) => {
    await page.keyboard.press('/');
    await act(page.keyboard.type('anna').then(() => page.keyboard.press('Enter')));
    await page.getByText('anna.schmidt@example.org').first().waitFor();
    await act(page.locator('tbody th a').first().click());
    await page.getByText('the fifth of May').first().waitFor();
  });
  const correct = await task(async (act) => {
    await act(link('30 rows').click());
    await act(page.getByText('Find and replace in a column').click());
    await act(page.getByLabel('Column', { exact: true }).selectOption('Email'));
    await act(page.getByLabel('Find', { exact: true }).fill('(at)'));
    await act(page.getByLabel('Replace with').fill('@'));
    await act(button('Preview').click());
    await page.getByText('30 rows would be corrected').first().waitFor();
    await act(page.getByLabel('Why').fill('the export masks addresses'));
    await act(button('Correct them').click());
    await page.getByText('the export masks addresses').first().waitFor();
  });
  const map = await task(async (act) => {
    await act(link('Learners').click());
    await act(link(/Map many/).click());
    await act(button('Preview').click());
    await page.getByText('8 learners with 8 rows can be mapped').waitFor();
    await act(page.getByLabel('Why').fill('slips of the pen'));
    await act(button('Map 8').click());
    await page.getByText('slips of the pen').first().waitFor();
  });
  const upload = await task(async (act) => {
    await act(link('Files').click());
    const buffer = Buffer.from(csvOf([exportRow(500, { email: 'late@example.org' })]));
    const file = { name: 'late.csv', mimeType: 'text/csv', buffer };
    await act(page.locator('input[type=file]').setInputFiles(file));
    await act(page.locator('form:has(input[type=file]) button').click());
    await act(button('Import').click());
    await until('all but one is accepted', () => workspace.states().accepted === 47, 60_000);
  });
  expect({ anna, correct, map, upload }).toEqual({ anna: 2, correct: 8, map: 5, upload: 4 });

  await page.context().close();
  service.stop();
  expect((await service.ended).code).toBe(130);
}, 240_000);

/** A service with its console, and one operator. */
async function served(
  unknown = ['grace.hoper@example.org'],
): Promise<{ workspace: TestWorkspace; service: LastingLine; url: string }> {
  const workspace = await testWorkspace({
    sandbox: {
      learners: { unknown },
      faults: { schedule: [{ kind: 'refusal', match: 'REFUSED-1', times: 100 }] },
    },
  });
  await addUser(workspace);
  const service = workspace.begin('schedule', '--listen', '127.0.0.1:0');
  const address = () => /"url":"([^"]+)"/.exec(service.stderr())?.[1];
  await until('the console is served', () => address() !== undefined);
  return { workspace, service, url: address() as string };
}

async function addUser({ root }: TestWorkspace): Promise<void> {
  const path = join(root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8')) as object;
  const users = [{ name: 'ada', role: 'operator', password: hashedPassword(PASSWORD) }];
  writeFileSync(path, JSON.stringify({ ...config, console: { users } }));
}

async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Waits until a text is on the page: as it changes by itself, or by loading it again. */
async function follows(page: Page, byItself: boolean, text: string): Promise<void> {
  const main = page.locator('main');
  if (byItself) {
    await main.getByText(text).first().waitFor({ timeout: 30_000 });
    return;
  }
  await expect
    .poll(
      async () => {
        await page.reload();
        return main.textContent();
      },
      { timeout: 30_000, interval: 300 },
    )
    .toContain(text);
}
