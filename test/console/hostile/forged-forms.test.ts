import { expect, it } from 'vitest';
import { addressesOf, formAddressesOf, oneOfEach } from '../../support/console-addresses.js';
import { PLAIN_WORDS, wordedConsole } from '../../support/worded-console.js';
import { noForgeryIsTaken, requestsChangeNothing } from './forgeries.js';

it('a form is accepted only from the browser that this console rendered it for', () => noForgeryIsTaken(0));

it('a GET request changes nothing, whatever method it claims to be', () => requestsChangeNothing(oneOfEach));

it('methods that browsers don’t use get an answer without a page', async () => {
  const { url, known, workspace, failures } = await wordedConsole(PLAIN_WORDS);
  const decisions = workspace.query('select * from decision');
  const one = oneOfEach(known());
  const paths = [...new Set([...addressesOf(one), ...formAddressesOf(one)])];
  const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
  for (const [nth, path] of paths.entries()) {
    for (const method of [methods[nth % 5], methods[(nth + 2) % 5]] as string[]) {
      const answer = await fetch(new URL(path, url), { method, headers: { 'x-forwarded-user': 'ada' } });
      const text = await answer.text();
      expect([method, path, answer.status, text.includes('example.org')]).toEqual([method, path, 404, false]);
    }
  }
  expect(workspace.query('select * from decision')).toEqual(decisions);
  expect(failures).toEqual([]);
});
