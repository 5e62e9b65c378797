// @module-tag chromium
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { sharedBrowser } from '../../support/browser.js';
import { addressesOf, programAddressesOf } from '../../support/console-addresses.js';
import { decider } from '../../support/decider.js';
import { type Words, wordedConsole } from '../../support/worded-console.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

/** Texts that run, load or escape their place unless they are shown as text. */
const EVIL = [
  '<img src=x onerror=pwned=1>',
  '"><script>pwned=1</script>',
  "'onmouseover='pwned=1' autofocus onfocus='pwned=1",
  '</title><svg onload=pwned=1>',
  '<img src=http://evil.example/x>',
  '{{7*7}}${7*7}<%=7*7%>',
  'javascript:pwned=1',
  '</textarea></select><base href=http://evil.example/>',
  '\u202egnp.exe\u2066',
  'a\u0000b\u001b[31m',
  'x'.repeat(600),
].join(' ');

/** For places where some of the letters can't be. */
const NAME = `<img src=x onerror=pwned=1>"><script>pwned=1<`;

const WORDS: Words = {
  file: `<img src=x onerror=pwned=1>'onfocus='pwned=1 {{7*7}} javascript:pwned=1 \u202egnp`,
  sheet: EVIL,
  content: `${NAME} {{7*7}} javascript:pwned=1`,
  header: EVIL,
  cell: EVIL,
  local: "o'brien{{7*7}}",
  domain: 'example.org',
  identifier: EVIL,
  reason: EVIL.slice(0, 900),
  operator: `ada<img src=x onerror=pwned=1>"'`,
  group: NAME,
  platform: { detail: EVIL, title: EVIL, code: NAME, source: EVIL, id: EVIL },
};

/** Fails for a page on which a foreign text runs, loads something, or is more than text. */
async function expectHarmless(page: Page, path: string): Promise<void> {
  const found = await page.evaluate(`({
    pwned: typeof pwned,
    handlers: [...document.querySelectorAll('*')].flatMap((one) =>
      one.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style' || name === 'autofocus')),
    elements: [...document.querySelectorAll('script:not([src^="/assets/"]), img, base, iframe, object, embed, meta[http-equiv]:not([http-equiv="Content-Security-Policy"])')].map((one) => one.outerHTML),
    links: [...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap((one) =>
      ['href', 'src', 'action', 'formaction'].map((name) => one.getAttribute(name)).filter((to) =>
        to && to !== 'data:,' && new URL(to, location.href).origin !== location.origin)),
    invisible: /[\\u202a-\\u202e\\u2066-\\u2069\\u0000]/.test(document.documentElement.outerHTML),
  })`);
  expect([path, found]).toEqual([
    path,
    { pwned: 'undefined', handlers: [], elements: [], links: [], invisible: false },
  ]);
}

it('no text of a file, a platform or a person runs or loads anything on any page', async () => {
  const { as, known, url, failures, context } = await wordedConsole(WORDS);
  const operator = as(WORDS.operator);
  const paths = [...addressesOf(known()), ...plansOf(known())];
  const shown = new Set<string>();
  for (const [name, javaScriptEnabled] of [
    [WORDS.operator, true],
    ['vera', true],
  ] as const) {
    const inBrowser = await browser.newContext({
      javaScriptEnabled,
      extraHTTPHeaders: { 'x-forwarded-user': name },
    });
    const page = await inBrowser.newPage();
    const violations: string[] = [];
    page.on('dialog', (dialog) => {
      violations.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => violations.push(`${page.url()}: ${error}`));
    page.on('console', (message) => {
      if (/Content Security|Refused to/i.test(message.text())) violations.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && request.url() !== 'data:,') violations.push(request.url());
    });
    for (const path of paths) {
      const answer = await operator.get(path);
      await answer.arrayBuffer();
      if (answer.headers.get('content-disposition') !== null) {
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'content-disposition': expect.stringMatching(/^attachment; filename="[\w .()-]+"/),
          'x-content-type-options': 'nosniff',
        });
        continue;
      }
      await page.goto(`${url}${path}`);
      await expectHarmless(page, path);
      if ((await page.locator('body').textContent())?.includes('<img src=x onerror=pwned=1>'))
        shown.add(`${name === 'vera' ? 'vera ' : ''}${path.replace(/\d+/g, 'N')}`);
    }
    expect(violations).toEqual([]);
    await inBrowser.close();
  }
  expect([...shown]).toEqual(
    expect.arrayContaining([
      ...['/attention/rows', '/decide/rerun?all=true', '/decide/dismiss?drop=N', '/decisions/N', '/doctor'],
      ...[
        '/files',
        '/files/N',
        '/learners',
        '/report',
        '/report.html',
        '/rows/N',
        '/rows/N%NAN',
        '/runs/N',
        '/runs/N/report.html',
      ],
      ...['/schedule', '/settings', 'vera /files', 'vera /runs/N'],
    ]),
  );
  const { secret } = await addToken(context, { name: 'job', role: 'operator' }, decider('ada'));
  for (const path of programAddressesOf(known())) {
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${secret}` } });
    expect([path, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      path,
      expect.stringMatching(/^application\/(problem\+)?json$/),
      'nosniff',
    ]);
    JSON.parse(await answer.text());
  }
  expect(failures).toEqual([]);
});

/** The plans of decisions about what is known. */
function plansOf({
  drops,
  submissions,
  rows,
}: ReturnType<Awaited<ReturnType<typeof wordedConsole>>['known']>) {
  const query = (more: Readonly<Record<string, string>>) => new URLSearchParams(more);
  const learner = `${WORDS.local}.firstunknown2@${WORDS.domain}`;
  return [
    ...drops.flatMap((drop) => [`/decide/restage?drop=${drop}`, `/decide/dismiss?drop=${drop}`]),
    `/decide/rerun?${query({ rows: submissions.join(',') })}`,
    `/decide/dismiss?${query({ rows: [...submissions, ...rows].join(',') })}`,
    '/decide/rerun?all=true',
    '/decide/dismiss?all=true',
    `/decide/map?${query({ old: learner, new: 'somebody@example.org' })}`,
    `/decide/map?${query({ old: EVIL, new: EVIL })}`,
    ...['learner', 'content', 'file', 'cause'].flatMap((name) => [
      `/decide/rerun?${query({ [name]: NAME })}`,
      `/attention/rows?${query({ [name]: NAME })}`,
    ]),
  ];
}
