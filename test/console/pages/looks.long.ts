// @module-tag chromium
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/schema.js';
import { systemClock } from '../../../src/domain/clock.js';
import { expectAccessible, looked, openPage } from '../../support/accessible.js';
import { actionContext } from '../../support/action-context.js';
import { sharedBrowser } from '../../support/browser.js';
import { testConsole } from '../../support/console.js';
import { consoleSettings } from '../../support/console-settings.js';
import { decide } from '../../support/decide.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { hashedPassword } from '../../support/hashed-password.js';
import { select } from '../../support/select.js';
import { testLedger } from '../../support/staged-ledger.js';
import { type TestWorkspace, testWorkspace } from '../../support/workspace.js';
import { workspaceContext } from '../../support/workspace-context.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

it.each(looked(['/', '/doctor', '/nothing', '/runs', '/audit', '/schedule', '/report']))(
  '%s has no accessibility fault in any look while nothing has happened',
  async (path) => {
    const context = actionContext(testLedger(systemClock()));
    const { url } = await testConsole(() => context);
    const page = await openPage(browser, `${url}${path}`);
    await expectAccessible(page);
  },
);

/** A file with rows of every kind, a refused one, and a dismissal. */
async function workedOn(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({ sandbox: { learners: { unknownContaining: 'unknown' } } });
  const rows = [
    ...exportRows(9),
    exportRow(20, { email: 'a.unknown@example.org' }),
    exportRow(22, { at: 'never' }),
  ];
  workspace.drop('mixed.csv', csvOf(rows));
  workspace.drop(`<img src=x onerror=alert(1)>${'long'.repeat(30)}.csv`, 'Who,What\na,b\n');
  await workspace.run();
  return workspace;
}

it('the pages of what was done have no accessibility fault in any look, and run nothing', async () => {
  const context = await workspaceContext(await workedOn());
  const { ledger } = context;
  const who = { name: 'ada', door: 'console' as const };
  const because = `<script>document.title="owned"</script>${'x'.repeat(300)}`;
  const rows = [...(await select(ledger, { states: ['rejected'] }))];
  await decide(ledger, { kind: 'dismiss', who, because, selection: { states: ['rejected'] } }, rows, null);
  const schedule = configSchema.shape.schedule.parse([
    { cron: '0 6 * * *', timeZone: 'UTC', do: ['run', 'report'] },
    { cron: '*/5 * * * *', do: ['run'], sources: ['academy'] },
  ]);
  const { url, failures } = await testConsole(() => ({
    ...context,
    config: { ...context.config, schedule },
  }));
  const paths = [
    '/runs',
    '/runs/1',
    '/runs/1/report.html',
    '/report.html?source=academy',
    '/report?source=academy',
    '/decisions/1',
    '/schedule',
    '/settings',
  ];
  for (const path of looked(paths)) {
    const page = await openPage(browser, `${url}${path}`);
    expect(await page.title()).not.toBe('owned');
    await expectAccessible(page);
  }
  expect(failures).toEqual([]);
});

it('the report has its own style in a browser, and nothing of it is forbidden by its policy', async () => {
  const context = await workspaceContext(await workedOn());
  const { url } = await testConsole(() => context);
  const page = await openPage(browser, `${url}/runs`);
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(`${url}/runs/1/report.html`);
  expect(messages).toEqual([]);
  expect(await page.evaluate('getComputedStyle(document.querySelector(".skip")).position')).toBe('absolute');
});

it('the pages of files, of an upload and of the status have no fault in any look', async () => {
  const context = await workspaceContext(await workedOn());
  const { url } = await testConsole(() => context);
  for (const path of looked([
    '/search?q=example',
    '/learners/many',
    '/search?q=%25',
    '/learners/person?learner=a.unknown@example.org',
    '/attention/rows?states=invalid',
    '/decide/replace?states=invalid&column=Email&find=a&with=b',
    '/files',
    '/files/1',
    '/',
    '/files/2',
    '/alerts',
    '/alerts/mute?kind=cause&subject=academy&code=learner-unknown',
    '/attention/assign?cause=learner-unknown',
    '/settings/access',
    '/settings/sources/academy?timeZone=UTC',
    '/settings/environments/main',
    '/settings/schedule/new',
    '/settings/channels/new?way=email',
    '/audit',
    '/doctor',
  ])) {
    const page = await openPage(browser, `${url}${path}`);
    await expectAccessible(page);
  }
  const page = await openPage(browser, `${url}/files`);
  const buffer = Buffer.from(csvOf([...exportRows(2, 90), exportRow(95, { at: 'never' })]));
  await page.locator('input[type=file]').setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer });
  await page.locator('form:has(input[type=file]) button').click();
  await page.getByRole('button', { name: 'Import' }).waitFor();
  await expectAccessible(page);
});

it('the sign-in page has no fault in any look, neither before nor after a wrong password', async () => {
  const users = [{ name: 'ada', role: 'viewer', password: hashedPassword('correct horse battery') }];
  const context = actionContext(testLedger(systemClock()), { console: consoleSettings({ users }) });
  const { url } = await testConsole(() => context);
  const page = await openPage(browser, url);
  await expectAccessible(page);
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
});
