import { expect, it } from 'vitest';
import { addressesOf } from '../support/console-addresses.js';
import { wordedConsole } from '../support/worded-console.js';
import { isCutOff } from './hostile/endless-bodies.js';
import { noForgeryIsTaken, requestsChangeNothing } from './hostile/forgeries.js';
import { MARKED } from './hostile/marked-words.js';
import { hasPage, linksIn, shownTo } from './hostile/shown-to-viewers.js';

// The tests in hostile/ check some addresses, this one all.

it('a viewer gets no personal data from any address that a viewer’s or an operator’s pages link to', async () => {
  const { as, known, failures } = await wordedConsole(MARKED);
  const operator = as('ada');
  const begin = ['/', ...addressesOf(known())];
  for (const path of addressesOf(known())) {
    const answer = await operator.get(path);
    if (hasPage(answer)) begin.push(...linksIn(await answer.text()));
  }
  const { found, seen } = await shownTo(as('vera'), begin, true);
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(100);
  expect(failures).toEqual([]);
});

it('a form is accepted only from the browser that this console rendered it for', () => noForgeryIsTaken(1));

it('a GET request changes nothing, whatever method it claims to be', () =>
  requestsChangeNothing((known) => known));

it('an endless body is cut off at every address that accepts one, and nothing of it stays', () =>
  isCutOff((nth) => nth % 3 !== 0));
