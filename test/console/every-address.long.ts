import { expect, it } from 'vitest';
import { addressesOf } from '../support/console-addresses.js';
import { wordedConsole } from '../support/worded-console.js';
import { isCutOff } from './hostile/endless-bodies.js';
import { noForgeryIsTaken, requestsChangeNothing } from './hostile/forgeries.js';
import { MARKED } from './hostile/marked-words.js';
import { hasPage, linksIn, shownTo } from './hostile/shown-to-viewers.js';

// What the tests in hostile/ try at some addresses.

it('a viewer gets no personal data by any address that pages lead to, be they a viewer’s or an operator’s', async () => {
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

it('no form is taken that this console has not made for the browser that sends it', () =>
  noForgeryIsTaken(1));

it('a requested address changes nothing, whatever method it pretends to be', () =>
  requestsChangeNothing((known) => known));

it('a body without end is cut off at every address that takes one, and nothing of it stays', () =>
  isCutOff((nth) => nth % 3 !== 0));
