import { beforeEach, describe, expect, it } from 'vitest';
import { planRows } from '../../../../src/actions/correct/plan-row.js';
import { systemClock } from '../../../../src/domain/clock.js';
import { imbalances } from '../../../../src/ledger/books/balance/imbalances.js';
import { releaseLease } from '../../../../src/ledger/leases/leases.js';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { requireKnownSettings } from '../../../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../../../staging/staging-bench.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger } from '../../../support/browsed-ledger.js';
import { csvOf, exportRow } from '../../../support/exports.js';
import { decisions } from '../../../support/ledger-trace.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  preparedLedgers,
  REJECTED,
  states,
} from '../../../support/staged-ledger.js';

const EVIL = '<script>alert(1)</script>';

/** Drop 1: lines 2 and 3 accepted and refused, line 4 invalid, with a hostile cell. */
const threeRows = preparedLedgers(async (prepared) => {
  await requireKnownSettings(prepared, sourceOf(), null);
  await stageContent(
    prepared,
    csvOf([exportRow(1), exportRow(2), exportRow(3, { email: 'nobody', course: EVIL })]),
  );
  const lease = await mustLease(prepared, 'push:main');
  await deliverNext(prepared, lease, 1, ACCEPTED);
  await deliverNext(prepared, lease, 1, REJECTED, 400);
  await releaseLease(prepared, lease);
}, systemClock);

let ledger: Ledger;
beforeEach(async () => {
  ledger = await threeRows();
});

async function opened(of = ledger) {
  const context = actionContext(of, { sources: [sourceOf()] });
  return { context, ...(await peopledConsole(context)) };
}

const decided = async () =>
  (await decisions(ledger)).map(({ kind, who, door, because }) => [kind, who, door, because]);

/** The fields of the form that corrects the row, as a browser sends them. */
function cellsIn({ markup }: { readonly markup: string }): Record<string, string> {
  return Object.fromEntries(
    [...markup.matchAll(/<input[^>]* name="((?:cell|was)-[^"]+)"[^>]*? value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [
        name,
        value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
      ],
    ),
  );
}

describe('the page of a row', () => {
  it('shows its life: the file, the reading, the requests, and what comes next', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/rows/2'));
    expect(page.status).toBe(200);
    expect(page.text).toContain('drop.csv, line 3');
    expect(page.text).toContain('#2 is rejected');
    expect(page.text).toContain('It is rejected: the platform refused the record (bad-request).');
    expect(page.markup).toContain('href="/decide/rerun?states=rejected&amp;rows=2"');
    expect(page.text).toContain('waiting to sending');
    expect(page.text).toContain('answer 400');
    expect(page.text).toContain('learner2@example.org');
    expect(page.markup).toContain('href="/files/1"');
  });

  it('of one that became no record says what is wrong, and runs nothing from its cells', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/rows/1:4'));
    expect(page.text).toContain('is not one e-mail address');
    expect(page.markup).not.toContain('<script>alert');
    expect(page.markup).toContain('&lt;script&gt;');
  });

  it('shows beside a cell what is wrong with it, before anything is tried', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/rows/1:4'));
    expect(page.markup).toMatch(/data-reading><b>[^<]*is not one e-mail address/);
    expect(page.text).toContain('No corrections yet.');
    expect(page.text).not.toContain('still be invalid');
  });

  it('that doesn’t exist answers 404', async () => {
    const { as, failures } = await opened();
    const ada = await as('operator');
    for (const what of ['99', '7:7', 'nobody', 'learner1%40example.org'])
      expect([what, (await ada.get(`/rows/${what}`)).status]).toEqual([what, 404]);
    expect(failures).toEqual([]);
  });

  it('that is accepted can’t be corrected, and the page says why', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/rows/1'));
    expect(page.text).toContain('It can’t be corrected: drop.csv:2 was accepted by the platform as #1.');
    expect(page.markup).not.toContain('name="cell-');
  });

  it('is not shown to a viewer, and shows an auditor everything but a form', async () => {
    const browsed = await browsedLedger();
    const { as } = await opened(browsed);
    const [vera, otto] = [await as('viewer'), await as('auditor')];
    for (const what of ['1', '2', '1:4', '1:5', '2:3', 'drop.csv:4']) {
      expect((await vera.get(`/rows/${encodeURIComponent(what)}`)).status).toBe(403);
      const { markup } = await read(await otto.get(`/rows/${encodeURIComponent(what)}`));
      expect(markup).toContain('northwind');
      expect(markup).not.toMatch(/name="cell-|\/decide\//);
    }
  });
});

describe('a correction of a row', () => {
  it('is checked without a decision: each cell beside its reading', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const cells = cellsIn(await read(await ada.get('/rows/1:4')));
    expect(cells).toMatchObject({ 'cell-1:4-0': 'nobody', 'cell-1:4-1': EVIL });
    const tried = await read(
      await ada.post('/rows/1:4/try', { ...cells, token: ada.token, 'cell-1:4-0': 'Ada@Example.org' }),
    );
    expect(tried.status).toBe(200);
    expect(tried.text).toContain('Read as ada@example.org (lower case). In the file: nobody.');
    expect(tried.text).toContain('drop.csv:4 would be staged, and the original resolved.');
    expect(tried.markup).toContain('value="Ada@Example.org"');
    expect(tried.markup).not.toContain('<script>alert');
    const wrong = await read(
      await ada.post('/rows/1:4/try', { ...cells, token: ada.token, 'cell-1:4-2': 'never' }),
    );
    expect(wrong.text).toContain('drop.csv:4 would be invalid');
    expect(await decided()).toEqual([]);
  });

  it('is saved for a reason under the person’s name, and the row shows it', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const cells = { ...cellsIn(await read(await ada.get('/rows/1:4'))), 'cell-1:4-0': 'ada@example.org' };
    const none = await read(await ada.post('/rows/1:4/correct', { ...cells, token: ada.token, because: '' }));
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('needs a reason')]);
    expect(none.markup).toContain('value="ada@example.org"');
    const done = await read(
      await ada.post('/rows/1:4/correct', { ...cells, token: ada.token, because: 'she told us' }),
    );
    expect([done.status, done.to]).toEqual([303, '/rows/1%3A4?saved=yes']);
    expect(await decided()).toEqual([['correct', 'ada', 'console', 'she told us']]);
    const after = await read(await ada.get('/rows/1%3A4'));
    expect(after.text).toContain('It was invalid, and is now #');
    expect(after.text).toContain('she told us');
    expect(after.text).toContain('ada@example.org');
    expect(await states(ledger)).toEqual(['accepted', 'rejected', 'waiting']);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('of a submission by its number takes its place', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const cells = { ...cellsIn(await read(await ada.get('/rows/2'))), 'cell-1:3-3': '99' };
    const done = await read(
      await ada.post('/rows/2/correct', { ...cells, token: ada.token, because: 'typo' }),
    );
    expect([done.status, done.to]).toEqual([303, '/rows/2?saved=yes']);
    expect((await states(ledger)).sort()).toEqual(['accepted', 'replaced', 'waiting']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['changes nothing', {}, 'No cell was changed.'],
    ['is still invalid', { 'cell-1:4-0': 'still nobody' }, 'With these values, drop.csv:4 is still invalid.'],
    [
      'was made from another page',
      { 'cell-1:4-0': 'a@b.example', 'was-1:4-0': 'somebody' },
      'drop.csv:4 was corrected since you opened the page',
    ],
  ])('that %s is not made', async (_, changes, sentence) => {
    const { as } = await opened();
    const ada = await as('operator');
    const cells = { ...cellsIn(await read(await ada.get('/rows/1:4'))), ...changes };
    const page = await read(
      await ada.post('/rows/1:4/correct', { ...cells, token: ada.token, because: 'x' }),
    );
    expect([page.status, page.text]).toEqual([409, expect.stringContaining(sentence)]);
    expect(await decided()).toEqual([]);
  });

  it('that another person has made meanwhile is not overwritten by an older page', async () => {
    const { as } = await opened();
    const [ada, late] = [await as('operator'), await as('operator')];
    const before = cellsIn(await read(await late.get('/rows/2')));
    const own = { ...cellsIn(await read(await ada.get('/rows/2'))), 'cell-1:3-3': '99' };
    await ada.post('/rows/2/correct', { ...own, token: ada.token, because: 'typo' });
    // The same cell, and another one of the row.
    for (const changed of [{ 'cell-1:3-3': '55' }, { 'cell-1:3-1': 'C-9' }]) {
      const page = await read(
        await late.post('/rows/2/correct', { ...before, ...changed, token: late.token, because: 'x' }),
      );
      expect([page.status, page.text]).toEqual([
        409,
        expect.stringContaining('drop.csv:3 was corrected since you opened the page'),
      ]);
    }
    expect(await decided()).toHaveLength(1);
  });

  it('that can’t be made just now keeps what was typed', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const cells = { ...cellsIn(await read(await ada.get('/rows/1:4'))), 'cell-1:4-0': 'ada@example.org' };
    const lease = await mustLease(ledger, 'stage');
    const sent = () => ada.post('/rows/1:4/correct', { ...cells, token: ada.token, because: 'she told us' });
    const page = await read(await sent());
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('is staging')]);
    expect(page.markup).toContain('value="ada@example.org"');
    expect(page.markup).toContain('value="she told us"');
    expect(await decided()).toEqual([]);
    await releaseLease(ledger, lease);
    expect((await sent()).status).toBe(303);
  });

  it.each(['viewer', 'auditor'] as const)('can be neither checked nor made by a %s', async (role) => {
    const { as } = await opened();
    const person = await as(role);
    await person.get('/doctor');
    for (const path of ['/rows/1:4/try', '/rows/1:4/correct']) {
      const answer = await person.post(path, { 'cell-1:4-0': 'a@b.example', because: 'x' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(await decided()).toEqual([]);
  });

  it('is planned the same in another thread, and leaves escaped cells unchanged', async () => {
    await stageContent(ledger, csvOf([exportRow(5, { email: 'no\u200bbody' })]));
    const { as, context } = await opened();
    const [planned] = await planRows(context, {
      rows: [{ what: '2:2', set: [{ column: 1, value: 'C-1' }] }],
    });
    expect(structuredClone(planned)).toEqual(planned);
    const ada = await as('operator');
    const cells = { ...cellsIn(await read(await ada.get('/rows/2:2'))), because: 'typo' };
    expect(cells).toMatchObject({ 'cell-2:2-0': 'no\\u200bbody', 'was-2:2-0': 'no\\u200bbody' });
    const same = await read(await ada.post('/rows/2:2/correct', cells));
    expect([same.status, same.text]).toEqual([409, expect.stringContaining('No cell was changed.')]);
    const other = await read(await ada.post('/rows/2:2/try', { ...cells, 'cell-2:2-1': 'C-1' }));
    expect(other.text).toMatch(/no\\u200bbody.*is not one e-mail address/);
    const done = await ada.post('/rows/2:2/correct', { ...cells, 'cell-2:2-0': 'a@b.example' });
    expect(done.status).toBe(303);
  });
});
