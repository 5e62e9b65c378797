import { beforeEach, describe, expect, it } from 'vitest';
import { dismiss } from '../../../../src/actions/dismiss.js';
import { rerun } from '../../../../src/actions/rerun.js';
import { RERUNNABLE } from '../../../../src/actions/rows/selectable.js';
import { selectionIn } from '../../../../src/domain/text/selection-text.js';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { stageContent } from '../../../staging/staging-bench.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger } from '../../../support/browsed-ledger.js';
import { decisions } from '../../../support/ledger-trace.js';
import { fingerprintIn, peopledConsole, read } from '../../../support/peopled-console.js';
import { deliverNext, mustLease, REJECTED, states } from '../../../support/staged-ledger.js';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await browsedLedger();
});

async function opened() {
  const context = actionContext(ledger);
  return { context, ...(await peopledConsole(context)) };
}

const decided = async () =>
  (await decisions(ledger)).map(({ kind, who, door, because }) => [kind, who, door, because]);

const REJECTED_ROWS = '/decide/dismiss?states=rejected&cause=bad-request';

describe('a plan to dismiss rows', () => {
  it('shows how many rows it moves and which, requires a reason, and changes nothing', async () => {
    const { as } = await opened();
    const before = await states(ledger);
    const page = await read(await (await as('operator')).get(REJECTED_ROWS));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Selected: rejected rows with the cause bad-request.');
    expect(page.markup).toMatch(/<input id="because" name="because" type="text" required/);
    expect(page.markup).toContain('href="/rows/1"');
    expect(await states(ledger)).toEqual(before);
    expect(await decided()).toEqual([]);
  });

  it('is carried out under the person’s name, for their reason, and leads to the decision', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const fingerprint = fingerprintIn(await read(await ada.get(REJECTED_ROWS)));
    const done = await read(await ada.post(REJECTED_ROWS, { fingerprint, because: 'twice told' }));
    expect([done.status, done.to]).toEqual([303, '/decisions/1']);
    expect(await decided()).toEqual([['dismiss', 'ada', 'console', 'twice told']]);
    expect((await states(ledger)).filter((state) => state === 'dismissed')).toHaveLength(
      Number(fingerprint.split(' ')[0]),
    );
  });

  it('decides nothing without a reason', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const fingerprint = fingerprintIn(await read(await ada.get(REJECTED_ROWS)));
    const page = await read(await ada.post(REJECTED_ROWS, { fingerprint, because: ' ' }));
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('needs a reason')]);
    expect(await decided()).toEqual([]);
  });

  it('is shown again if it has other rows by now, even as many', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get(REJECTED_ROWS));
    const [, id = ''] = /href="\/rows\/(\d+)"/.exec(page.markup) ?? [];
    const one = `/decide/dismiss?states=rejected&rows=${id}`;
    const left = await ada.post(one, {
      fingerprint: fingerprintIn(await read(await ada.get(one))),
      because: 'gone',
    });
    expect(left.status).toBe(303);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), 1, REJECTED, 400);
    const stale = await read(
      await ada.post(REJECTED_ROWS, { fingerprint: fingerprintIn(page), because: 'so' }),
    );
    expect([stale.status, stale.text]).toEqual([
      409,
      expect.stringContaining('This has changed since you opened the page'),
    ]);
    expect(fingerprintIn(stale).split(' ')[0]).toBe(fingerprintIn(page).split(' ')[0]);
    expect(await decided()).toHaveLength(1);
  });

  it('is shown again instead of carried out if it has changed by now, with the reason kept', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const fingerprint = fingerprintIn(await read(await ada.get(REJECTED_ROWS)));
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, REJECTED, 400);
    const page = await read(await ada.post(REJECTED_ROWS, { fingerprint, because: 'a "reason"' }));
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('This has changed since you opened the page'),
    ]);
    expect(page.markup).toContain('value="a &quot;reason&quot;"');
    expect(await decided()).toEqual([]);
    const again = await read(
      await ada.post(REJECTED_ROWS, { fingerprint: fingerprintIn(page), because: 'now' }),
    );
    expect(again.status).toBe(303);
  });

  it('of a refused file closes it', async () => {
    await stageContent(ledger, 'nothing,known\n1,2\n');
    const { as } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get('/decide/dismiss?drop=3'));
    expect(page.text).toContain('1 refused file');
    const done = await read(
      await ada.post('/decide/dismiss?drop=3', { fingerprint: fingerprintIn(page), because: 'not ours' }),
    );
    expect(done.to).toBe('/decisions/1');
    const gone = await read(await ada.get('/decide/dismiss?drop=3'));
    expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('is closed already')]);
  });
});

it.each(['/decide/rerun', '/decide/dismiss'])(
  '%s without a selection is refused in a sentence',
  async (path) => {
    const { as, failures } = await opened();
    const ada = await as('operator');
    for (const search of ['', '?rows=', '?sort=code']) {
      const page = await read(await ada.get(`${path}${search}`));
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('No rows are selected')]);
    }
    expect((await ada.post(path, { because: 'x' })).status).toBe(400);
    const none = await read(await ada.get(`${path}?cause=nothing-like-it`));
    expect([none.status, none.text]).toEqual([200, expect.stringContaining('No row matches')]);
    const wrong = await read(await ada.get(`${path}?rows=99999`));
    expect([wrong.status, wrong.text]).toEqual([404, expect.stringContaining('99999')]);
    expect(failures).toEqual([]);
  },
);

it('ticked boxes are one selection, and what can’t be resent is left out with its reason', async () => {
  const { as } = await opened();
  const page = await read(await (await as('operator')).get('/decide/rerun?rows=1&rows=2&rows=1%3A4'));
  expect(page.text).toContain('2 rows, 2 requests');
  expect(page.text).toContain('drop.csv:4 is invalid');
  expect(page.text).toContain('Correct it on its page');
});

it('a rerun plan says what it overrides, what waits and how long it takes', async () => {
  const { as } = await opened();
  const page = await read(await (await as('operator')).get('/decide/rerun?all=true'));
  expect(page.text).toMatch(/\d+ rows, \d+ requests, about \d+ s/);
  expect(page.text).toMatch(/requests to main, about \d+ s at its quota\./);
  expect(page.text).toContain('held as learner-unknown: sent once anyway.');
  expect(page.text).toMatch(/\d+ invalid rows match as well/);
  expect(page.markup).not.toContain('required maxlength');
});

it.each(['viewer', 'auditor'] as const)('a %s sees no plan and decides nothing', async (role) => {
  const { as } = await opened();
  const person = await as(role);
  await person.get('/doctor');
  const before = await states(ledger);
  for (const path of [REJECTED_ROWS, '/decide/rerun?all=true']) {
    expect((await person.get(path)).status).toBe(403);
    expect((await person.post(path, { fingerprint: '1', because: 'x' })).status).toBe(403);
  }
  expect([await states(ledger), await decided()]).toEqual([before, []]);
});

it('text from a file or a reason runs nothing on the page of a plan', async () => {
  const evil = '<script>alert(1)</script>';
  const header = 'Email,Course ID,Completed on,Status,Name';
  await stageContent(ledger, `${header}\nx@y.example,${evil},soon,Completed,x\n`);
  const { as } = await opened();
  const ada = await as('operator');
  const path = `/decide/dismiss?content=${encodeURIComponent(evil)}`;
  const page = await read(await ada.get(path));
  expect(page.text).toContain('1 row');
  expect(page.markup).not.toContain('<script>');
  const shown = await read(await ada.post(path, { fingerprint: 'x', because: evil }));
  expect(shown.markup).not.toContain('<script>alert');
  expect(shown.markup).toContain('&lt;script&gt;');
});

it('plans survive the copy to another thread unchanged', async () => {
  const context = actionContext(ledger);
  const selection = selectionIn({ all: 'true' }, RERUNNABLE);
  if (selection === null) throw new Error('all rows were selected');
  const rerunPlan = await rerun.plan(context, { selection });
  expect(structuredClone(rerunPlan)).toEqual(rerunPlan);
  const dismissal = await dismiss.plan(context, { selection });
  expect(structuredClone(dismissal)).toEqual(dismissal);
});
