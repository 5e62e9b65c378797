import { expect, it } from 'vitest';
import { actionContext } from '../../../support/action-context.js';
import { decisions } from '../../../support/ledger-trace.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  stage,
  states,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../../support/staged-ledger.js';

const [KNOWN, NEAR, FAR] = ['ada.lovelace@x.example', 'ada.lovelce@x.example', 'zoe@elsewhere.example'];

/** Two unknown learners: one is near to a known one, the other to none. */
async function opened() {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{ user: KNOWN }, { user: NEAR }, { user: FAR, content: 'C-2' }]);
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, ACCEPTED);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  return { ledger, ...(await peopledConsole(actionContext(ledger))) };
}

it('an unknown learner is mapped to a near one with one click and a reason', async () => {
  const { as, ledger } = await opened();
  const ada = await as('operator');
  const page = await read(await ada.get('/learners'));
  expect(page.text).toContain('2 learners with 2 rows');
  expect(page.text).toContain('one letter differs');
  const [, action = ''] = /<form method="post" action="(\/decide\/map[^"]+)"/.exec(page.markup) ?? [];
  const path = action.replaceAll('&amp;', '&');
  const none = await read(await ada.post(path, { because: ' ' }));
  expect([none.status, none.text]).toEqual([409, expect.stringContaining('needs a reason')]);
  const done = await read(await ada.post(path, { because: 'a typo' }));
  expect([done.status, done.to]).toEqual([303, '/decisions/1']);
  const [decision] = await decisions(ledger);
  expect(decision).toMatchObject({ kind: 'map', who: 'ada', door: 'console', because: 'a typo' });
  expect(await states(ledger)).toContain('replaced');
  expect((await read(await ada.get('/learners'))).text).toContain('1 learner with 1 row');
});

it('another identifier can be entered in a field, which leads to the plan', async () => {
  const { as } = await opened();
  const ada = await as('operator');
  const page = await read(await ada.get('/learners'));
  expect(page.markup).toContain(`<input type="hidden" name="old" value="${FAR}">`);
  const query = new URLSearchParams({ old: FAR, type: 'Email', new: 'zoe@x.example' });
  expect((await read(await ada.get(`/decide/map?${query}`))).text).toContain(
    `1 row of ${FAR} (Email) is mapped to`,
  );
});

it('an identifier finds its unknown learner, and that of a known learner finds none', async () => {
  const { as } = await opened();
  const otto = await as('auditor');
  const found = await read(await otto.get(`/learners?learner=${FAR.toUpperCase()}`));
  expect([found.text.includes(FAR), found.text.includes(NEAR)]).toEqual([true, false]);
  expect(found.markup).not.toContain('/decide/');
  const none = await read(await otto.get(`/learners?learner=${KNOWN}`));
  expect([none.status, none.text]).toEqual([200, expect.stringContaining('No row was refused')]);
});

it('unknown learners are not shown to a viewer', async () => {
  const { as } = await opened();
  expect((await (await as('viewer')).get('/learners')).status).toBe(403);
});

it('where the platform knows every learner, the page says what to look at next', async () => {
  const { as } = await peopledConsole(actionContext(testLedger()));
  const page = await read(await (await as('operator')).get('/learners'));
  expect(page.text).toContain('All clear: the platform knows every learner.');
});

it('many learners are mapped by two columns, after a preview that says which lines can’t be', async () => {
  const { as, ledger } = await opened();
  const ada = await as('operator');
  const suggested = await read(await ada.get('/learners/many'));
  expect(suggested.markup).toContain(`${NEAR},${KNOWN}\n</textarea>`);
  const pairs = `${NEAR};${KNOWN}\r\n"${FAR}"\tzoe@x.example\r\nnobody@x.example,zoe@x.example`;
  const page = await read(await ada.post('/learners/many', { pairs }));
  expect(page.text).toContain('2 learners with 2 rows can be mapped');
  expect(page.text).toContain('1 line can’t, and is left out.');
  expect(page.text).toContain('No row has the old identifier');
  const [, fingerprint = ''] = /name="fingerprint" value="([^"]*)"/.exec(page.markup) ?? [];
  const reasonless = await read(await ada.post('/learners/many', { pairs, fingerprint }));
  expect([reasonless.status, await decisions(ledger)]).toEqual([409, []]);
  const stale = await read(
    await ada.post('/learners/many', { pairs, fingerprint: 'other', because: 'typos' }),
  );
  expect([stale.status, await decisions(ledger)]).toEqual([409, []]);
  // As the browser sends what the preview keeps.
  const [, kept = ''] = /<textarea name="pairs" hidden>\n([^<]*)</.exec(page.markup) ?? [];
  const rendered = { pairs: kept.replaceAll('&quot;', '"'), fingerprint, because: 'typos' };
  const done = await read(await ada.post('/learners/many', rendered));
  expect([done.status, done.to]).toEqual([303, '/audit?kind=map']);
  expect(await decisions(ledger)).toMatchObject([{ because: 'typos' }, { because: 'typos' }]);
  expect((await read(await ada.get('/learners'))).text).toContain('All clear');
  expect((await (await as('viewer')).get('/learners/many')).status).toBe(403);
});
