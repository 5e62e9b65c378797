import { beforeEach, expect, it } from 'vitest';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { requireKnownSettings } from '../../../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../../../staging/staging-bench.js';
import { actionContext } from '../../../support/action-context.js';
import { csvOf, DEFAULT_COLUMNS, exportRow } from '../../../support/exports.js';
import { decisions } from '../../../support/ledger-trace.js';
import { fingerprintIn, peopledConsole, read } from '../../../support/peopled-console.js';
import { states, testLedger } from '../../../support/staged-ledger.js';
import { workbookParts } from '../../../support/workbook-parts.js';
import { writeZip } from '../../../support/write-zip.js';

const ROWS = '/attention/rows?states=invalid&cause=email-invalid';

let ledger: Ledger;
beforeEach(async () => {
  ledger = testLedger();
  await requireKnownSettings(ledger, sourceOf(), null);
  const invalid = [3, 4, 5].map((n) => exportRow(n, { email: `learner${n}(at)example.org` }));
  await stageContent(ledger, csvOf([exportRow(1), ...invalid]));
});

const opened = async () => {
  const { as } = await peopledConsole(actionContext(ledger, { sources: [sourceOf()] }));
  return as('operator');
};

/** The fields of the form as the page has them. */
function fieldsOf(markup: string): Record<string, string> {
  const inputs = [...markup.matchAll(/<input[^>]* form="grid"[^>]*>/g)].map(([input]) => input);
  return Object.fromEntries(
    inputs.map((input) => [
      / name="([^"]*)"/.exec(input)?.[1] ?? '',
      / value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]),
  );
}

it('wrong cells of several rows are checked without a decision, and corrected by one', async () => {
  const ada = await opened();
  const page = await read(await ada.get(ROWS));
  const fields = fieldsOf(page.markup);
  expect(Object.keys(fields)).toHaveLength(6);
  const [first = '', second = ''] = Object.keys(fields).filter((name) => name.startsWith('cell-'));
  const typed = { ...fields, [first]: 'Learner3@example.org', [second]: 'still(at)example.org' };
  const tried = await read(await ada.post(ROWS.replace('rows?', 'rows/try?'), typed));
  expect(tried.status).toBe(200);
  expect(tried.text).toContain('Read as learner3@example.org');
  expect(tried.text).toContain('is not one e-mail address');
  expect(tried.markup).toContain('value="Learner3@example.org"');
  const path = ROWS.replace('rows?', 'rows/correct?');
  const wrong = await read(await ada.post(path, { ...typed, because: 'typos' }));
  expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('drop.csv:4 is still invalid')]);
  const good = { ...typed, [second]: 'learner4@example.org' };
  const reasonless = await read(await ada.post(path, good));
  expect([reasonless.status, reasonless.text]).toEqual([409, expect.stringContaining('needs a reason')]);
  expect(await decisions(ledger)).toEqual([]);
  const done = await read(await ada.post(path, { ...good, because: 'typos' }));
  expect([done.status, done.to]).toEqual([303, `${ROWS}&saved=1`]);
  expect(await decisions(ledger)).toMatchObject([{ kind: 'correct', who: 'ada', because: 'typos' }]);
  expect(await states(ledger)).toEqual(['waiting', 'waiting', 'waiting']);
  expect((await read(await ada.get(done.to ?? ''))).text).toMatch(/Saved: decision 1.*1 row/);
});

it('cells that another person has corrected meanwhile are not overwritten by an older page', async () => {
  const ada = await opened();
  const fields = fieldsOf((await read(await ada.get(ROWS))).markup);
  const [first = ''] = Object.keys(fields).filter((name) => name.startsWith('cell-'));
  const stale = {
    ...fields,
    [first]: 'a@example.org',
    [first.replace('cell', 'was')]: 'other(at)example.org',
  };
  const answer = await read(
    await ada.post(ROWS.replace('rows?', 'rows/correct?'), { ...stale, because: 'typos' }),
  );
  expect([answer.status, answer.text]).toEqual([
    409,
    expect.stringContaining('was corrected since you opened'),
  ]);
});

it('a cell whose text is struck through is corrected in the list', async () => {
  const struck = '<c t="inlineStr"><is><r><rPr><strike/></rPr><t>C-9</t></r></is></c>';
  const cells = (texts: readonly string[]) =>
    texts.map((text) => (text === '' ? struck : `<c t="inlineStr"><is><t>${text}</t></is></c>`)).join('');
  const rows = [
    Object.values(DEFAULT_COLUMNS),
    ['a@example.org', '', '2024-03-01T10:30:00Z', '80', 'Completed'],
  ];
  const parts = workbookParts({
    sheets: [{ name: 'Export', rows: rows.map((row) => `<row>${cells(row)}</row>`).join('') }],
  });
  await stageContent(ledger, writeZip(parts));
  const ada = await opened();
  const path = '/attention/rows?states=invalid&cause=text-struck';
  const fields = fieldsOf((await read(await ada.get(path))).markup);
  const [name = ''] = Object.keys(fields).filter((one) => one.startsWith('cell-'));
  const sent = { ...fields, [name]: 'C-1', because: 'read aloud' };
  expect((await ada.post(path.replace('rows?', 'rows/correct?'), sent)).status).toBe(303);
});

it('a text is replaced throughout a column after a preview, by one decision with a reason', async () => {
  const ada = await opened();
  expect((await read(await ada.get(ROWS))).markup).toContain('action="/decide/replace"');
  const path = `/decide/replace?${new URLSearchParams({ states: 'invalid', column: 'Email', find: '(at)', with: '@' })}`;
  const page = await read(await ada.get(path));
  expect(page.text).toContain('3 rows would be corrected');
  expect(page.text).toContain('3 requests would wait for the next run.');
  expect(page.text).toContain('learner4(at)example.org learner4@example.org');
  const done = await read(
    await ada.post(path, { fingerprint: fingerprintIn(page), because: 'an export without @' }),
  );
  expect([done.status, done.to]).toEqual([303, '/decisions/1']);
  expect(await states(ledger)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
  expect((await read(await ada.get(path))).text).toContain('Nothing would change.');
});

it('a space can be found and replaced', async () => {
  const ada = await opened();
  const query = new URLSearchParams({ states: 'invalid', column: 'Email', find: ' ', with: '' });
  expect((await read(await ada.get(`/decide/replace?${query}`))).text).toContain('would be corrected');
});

it('a replacement names the rows that it leaves invalid, and decides nothing where none would be corrected', async () => {
  const ada = await opened();
  const path = `/decide/replace?${new URLSearchParams({ states: 'invalid', column: 'Email', find: 'learner3(at)', with: 'learner3' })}`;
  const page = await read(await ada.get(path));
  expect(page.text).toContain('0 rows would be corrected');
  expect(page.text).toContain('1 row has the text and would change nothing: it stays as is.');
  const answer = await read(await ada.post(path, { fingerprint: fingerprintIn(page), because: 'x' }));
  expect([answer.status, await decisions(ledger)]).toEqual([409, []]);
  expect((await ada.get('/decide/replace?column=Email')).status).toBe(400);
});

it('a row leads to the next and the previous one of its cause', async () => {
  const ada = await opened();
  const page = await read(await ada.get('/rows/1:4'));
  expect(page.markup).toMatch(/href="\/rows\/1%3A3">Previous/);
  expect(page.markup).toMatch(/href="\/rows\/1%3A5">Next/);
});
