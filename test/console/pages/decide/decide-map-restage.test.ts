import { describe, expect, it } from 'vitest';
import { map } from '../../../../src/actions/map.js';
import { restage } from '../../../../src/actions/restage/restage.js';
import { systemClock } from '../../../../src/domain/clock.js';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { requireKnownSettings } from '../../../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../../../staging/staging-bench.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger } from '../../../support/browsed-ledger.js';
import { csvOf, exportRow } from '../../../support/exports.js';
import { decisions } from '../../../support/ledger-trace.js';
import { fingerprintIn, peopledConsole, read } from '../../../support/peopled-console.js';
import { states, testLedger } from '../../../support/staged-ledger.js';

const decided = async (ledger: Ledger) =>
  (await decisions(ledger)).map(({ kind, who, door, because }) => [kind, who, door, because]);

describe('the correction of an identifier', () => {
  const OLD = 'zq@northwind.example';
  const PATH = `/decide/map?${new URLSearchParams({ old: OLD, new: 'z.quimby@northwind.example' })}`;

  async function opened() {
    const ledger = await browsedLedger();
    const context = actionContext(ledger);
    return { ledger, context, ...(await peopledConsole(context)) };
  }

  it('shows what it changes first, and is decided with a reason', async () => {
    const { as, ledger } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get(PATH));
    expect(page.text).toContain(
      '2 rows of zq@northwind.example (Email) are mapped to z.quimby@northwind.example (Email)',
    );
    expect(page.text).toContain('Future files are corrected as well.');
    const fingerprint = fingerprintIn(page);
    const none = await read(await ada.post(PATH, { fingerprint, because: '' }));
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('needs a reason')]);
    const stale = await read(await ada.post(PATH, { fingerprint: `${fingerprint}7`, because: 'told' }));
    expect([stale.status, stale.text]).toEqual([
      409,
      expect.stringContaining('This has changed since you opened the page'),
    ]);
    expect(await decided(ledger)).toEqual([]);
    const done = await read(await ada.post(PATH, { fingerprint, because: 'told' }));
    expect([done.status, done.to]).toEqual([303, '/decisions/1']);
    expect(await decided(ledger)).toEqual([['map', 'ada', 'console', 'told']]);
    expect((await states(ledger)).filter((state) => state === 'replaced')).toHaveLength(2);
  });

  it('takes one click where the previous page has shown the correction, but never without a reason', async () => {
    const { as, ledger } = await opened();
    const ada = await as('operator');
    await ada.get('/doctor');
    expect((await ada.post(PATH, {})).status).toBe(409);
    expect((await ada.post(PATH, { because: 'told' })).status).toBe(303);
    expect(await decided(ledger)).toEqual([['map', 'ada', 'console', 'told']]);
  });

  it.each([
    ['', 'The identifier in the files'],
    ['?old=a@b.example&new=', 'The identifier in the files'],
    ['?old=nobody@b.example&new=c@d.example', 'o row has the old identifier'],
    ['?old=zq@northwind.example&new=nonsense', 'he new identifier'],
    ['?old=zq@northwind.example&new=ZQ@northwind.example', 'oth identifiers are the same'],
  ])('that can’t be made returns to its form: %s', async (search, sentence) => {
    const { as, failures } = await opened();
    const page = await read(await (await as('operator')).get(`/decide/map${search}`));
    expect(page.text).toContain(sentence);
    expect(page.markup).toContain('name="old"');
    expect(failures).toEqual([]);
  });

  it.each(['viewer', 'auditor'] as const)('can be neither seen nor decided by a %s', async (role) => {
    const { as, ledger } = await opened();
    const person = await as(role);
    await person.get('/doctor');
    const answers = [await person.get(PATH), await person.post(PATH, { because: 'x' })];
    for (const answer of answers) {
      const { status, markup } = await read(answer);
      expect([status, markup.includes('northwind')]).toEqual([403, false]);
    }
    expect(await decided(ledger)).toEqual([]);
  });

  it('survives the copy to another thread unchanged', async () => {
    const { context } = await opened();
    const planned = await map.plan(context, { old: OLD, new: 'z.quimby@northwind.example' });
    expect(structuredClone(planned)).toEqual(planned);
  });
});

describe('a restaged file', () => {
  const CORRECTED = sourceOf({ status: { completed: ['waved through'] } });

  async function opened(source = CORRECTED) {
    const ledger = testLedger(systemClock());
    await requireKnownSettings(ledger, sourceOf(), null);
    const odd = exportRow(2, { status: 'Waved through' });
    await stageContent(ledger, csvOf([exportRow(1), odd, odd, exportRow(3, { email: '<b>nobody</b>' })]));
    const context = actionContext(ledger, { sources: [source] });
    return { ledger, context, ...(await peopledConsole(context)) };
  }

  it('is previewed first, and then carried out as previewed', async () => {
    const { as, ledger } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get('/decide/restage?drop=1'));
    expect(page.text).toContain(
      '3 invalid rows: 1 would wait to be delivered, 1 repeats what is known, 0 would be skipped by policy, 1 would still be invalid.',
    );
    expect(page.text).toContain('What would be delivered');
    expect(page.markup).not.toContain('<b>nobody');
    expect(page.markup).toContain('href="/rows/1%3A5"');
    const stale = await read(await ada.post('/decide/restage?drop=1', { fingerprint: '0 1 1 1 1' }));
    expect([stale.status, stale.text]).toEqual([
      409,
      expect.stringContaining('This has changed since you opened the page'),
    ]);
    expect(await decided(ledger)).toEqual([]);
    const fingerprint = fingerprintIn(page);
    const done = await read(await ada.post('/decide/restage?drop=1', { fingerprint, because: 'mended' }));
    expect([done.status, done.to]).toEqual([303, '/decisions/1']);
    expect(await decided(ledger)).toEqual([['restage', 'ada', 'console', 'mended']]);
    const again = await read(await ada.get('/decide/restage?drop=1'));
    expect(again.text).toContain('Nothing would change');
  });

  it('that would be unchanged offers no decision', async () => {
    const { as } = await opened(sourceOf());
    const ada = await as('operator');
    const page = await read(await ada.get('/decide/restage?drop=1'));
    expect(page.text).toContain('Nothing would change');
    expect(page.markup).not.toContain('name="because"');
    expect((await read(await ada.get('/decide/restage'))).markup).toContain('name="drop"');
    const wrong = await read(await ada.get('/decide/restage?drop=77'));
    expect([wrong.status, wrong.text]).toEqual([
      404,
      expect.stringContaining('No imported drop has the name'),
    ]);
  });

  it('can be neither seen nor decided by a viewer', async () => {
    const { as, ledger } = await opened();
    const vera = await as('viewer');
    await vera.get('/doctor');
    expect((await vera.get('/decide/restage?drop=1')).status).toBe(403);
    expect((await vera.post('/decide/restage?drop=1', { fingerprint: '0 3 1 1 0' })).status).toBe(403);
    expect(await decided(ledger)).toEqual([]);
  });

  it('survives the copy to another thread unchanged', async () => {
    const { context } = await opened();
    const planned = await restage.plan(context, { drop: '1', limit: 20 });
    expect(structuredClone(planned)).toEqual(planned);
  });
});
