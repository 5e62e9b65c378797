import { expect, it } from 'vitest';
import { causeHelp } from '../../../src/console/pages/help.js';
import { HELD_CAUSES } from '../../../src/domain/cause.js';
import { ISSUE_CODES } from '../../../src/domain/issue.js';
import { actionContext } from '../../support/action-context.js';
import { changingConsole } from '../../support/changing-console.js';
import { peopledConsole, read } from '../../support/peopled-console.js';
import { testLedger } from '../../support/staged-ledger.js';

it('the documents are pages, and every link between them works', async () => {
  const { as } = await peopledConsole(actionContext(testLedger()));
  const vera = await as('viewer');
  const page = async (path: string) => (await read(await vera.get(path))).markup;
  const names = [...(await page('/help')).matchAll(/href="(\/help\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(names).toContain('/help/reference');
  const pages = new Map<string, string>();
  for (const name of names) pages.set(name, await page(name));
  const broken = [...pages].flatMap(([name, markup]) =>
    [...markup.matchAll(/<a href="((?:\/help\/[^"#]*)?)(#[^"]*)?"/g)].flatMap(([, to = '', place = '']) => {
      const target = pages.get(to === '' ? name : to);
      const isThere = place === '#main' || place === '' || target?.includes(`id="${place.slice(1)}"`);
      return target !== undefined && isThere ? [] : `${name}: ${to}${place}`;
    }),
  );
  expect(broken).toEqual([]);
  const reference = pages.get('/help/reference') ?? '';
  expect(Object.keys(ISSUE_CODES).filter((code) => !reference.includes(`id="${code}"`))).toEqual([]);
  const correct = pages.get('/help/correct') ?? '';
  const states = ['rejected', 'failed', 'in-doubt'].map((state) => causeHelp({ state, code: 'any' }));
  const held = HELD_CAUSES.map((code) => causeHelp({ state: 'held', code }));
  expect([...states, ...held].filter((to) => !correct.includes(`id="${to.split('#')[1]}"`))).toEqual([]);
  expect((await vera.get('/help/nothing')).status).toBe(404);
  expect((await vera.get('/help/..%2Fpackage')).status).toBe(404);
});

it('each field of a setting links to its documentation', async () => {
  const { page } = await changingConsole({
    schedule: [{ cron: '0 6 * * *', do: ['run'] }],
    alerts: { channels: [{ name: 'log', file: 'alerts.jsonl' }] },
  });
  const reference = (await page('/help/reference')).markup;
  const paths = [
    'sources/academy',
    'environments/main',
    'schedule/0',
    'channels/new?way=email',
    'channels/new?way=webhook',
  ];
  const keys: string[] = [];
  for (const path of paths) {
    const { markup } = await page(`/settings/${path}`);
    keys.push(...[...markup.matchAll(/href="\/help\/reference#([^"]+)"/g)].map(([, key = '']) => key));
  }
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !reference.includes(`id="${key}"`))).toEqual([]);
});
