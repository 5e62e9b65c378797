import { expect, test } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { all, type Ledger, query } from '../../src/ledger/store/query.js';
import { workbookWith } from '../support/cells-workbook.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { restage } from '../support/restage.js';
import { testLedger } from '../support/staged-ledger.js';
import { checkContent, dispositionsOf, sourceOf, stageContent } from './staging-bench.js';

const UNDECLARED = sourceOf({ timeZone: undefined });
/** More than a first batch. */
const COUNT = 2_100;

/** The times of all submissions, in order. */
async function times(ledger: Ledger): Promise<readonly string[]> {
  const times = query.selectFrom('submission').select('occurred_at as at').orderBy('submission_id');
  return (await all(ledger, times)).map(({ at }) => at);
}

async function stagedTimes(content: string | Buffer, source = UNDECLARED) {
  const ledger = testLedger(systemClock());
  const result = await stageContent(ledger, content, { source });
  return { ledger, counts: dispositionsOf(result), times: await times(ledger) };
}

const HEADER = ['Email', 'Course ID', 'Completed on'];
const IN_ZONES = [
  ['ann@example.com', 'C1', { date: '2024-07-01T12:00:00' }, 'America/New_York'],
  ['bob@example.com', 'C1', { date: '2024-07-01T12:00:00' }, 'UTC+2'],
] as const;

test('each row of a workbook is in the zone of its column', async () => {
  const { times } = await stagedTimes(workbookWith([[...HEADER, 'Time Zone'], ...IN_ZONES]));
  expect(times).toEqual(['2024-07-01T16:00:00.000Z', '2024-07-01T10:00:00.000Z']);
});

test('a column of offsets in a workbook may hold numbers, and one without a sign is none', async () => {
  const rows = IN_ZONES.map(([email, course, at], index) => [email, course, at, [-4, 5.5][index] ?? null]);
  const { times, counts } = await stagedTimes(workbookWith([[...HEADER, 'UTC Offset'], ...rows]));
  expect(times).toEqual(['2024-07-01T16:00:00.000Z']);
  expect(counts).toMatchObject({ staged: 1, invalid: 1 });
});

test.each([
  ['directly below', ''],
  ['below a blank line', '\n'],
])('a note %s thousands of rows is known before the first of them counts', async (_, gap) => {
  const content = `${csvOf(exportRows(COUNT))}${gap}Times are shown in US/Pacific,,,,\n`;
  const { issues } = await checkContent(testLedger(systemClock()), content, null, UNDECLARED);
  expect(issues[0]?.remedy).toContain('names a zone: if it is that of the times, set timeZone: US/Pacific');
  const pacific = sourceOf({ timeZone: 'America/Los_Angeles' });
  const agreeing = await stagedTimes(content, pacific);
  expect(agreeing.counts).toMatchObject({ staged: COUNT, invalid: 0, 'non-data': 2 });
  expect(agreeing.times).toEqual((await stagedTimes(csvOf(exportRows(COUNT)), pacific)).times);
});

test('a note at the end that says another zone than the source makes its rows invalid, and restage settles them', async () => {
  const content = `${csvOf(exportRows(200))}\nAll times are UTC\n`;
  const { ledger, counts } = await stagedTimes(content, sourceOf());
  expect(counts).toMatchObject({ staged: 0, invalid: 200, 'non-data': 2 });
  const { issues } = await checkContent(ledger, content);
  expect(issues[0]?.message).toContain(
    'in Europe/Berlin by timeZone of the source, and in UTC by line 203 ("All times are UTC")',
  );

  const settled = sourceOf({ defaults: { 'completed-at-zone': 'UTC' } });
  await restage(ledger, 1, settled);
  expect(await times(ledger)).toEqual((await stagedTimes(content, sourceOf({ timeZone: 'UTC' }))).times);
});

test('rows with an offset of their own, and a note that says what the source says, raise no question', async () => {
  const rows = exportRows(200).map((row) => ({ ...row, at: `${row.at}Z` }));
  const own = await stagedTimes(`${csvOf(rows)}\nAll times are in Asia/Tokyo\n`, sourceOf());
  expect(own.counts).toMatchObject({ staged: 200, invalid: 0 });
  const same = await stagedTimes(`${csvOf(exportRows(200))}Time zone:,Europe/Berlin\n`, sourceOf());
  expect(same.counts).toMatchObject({ staged: 200, invalid: 0, 'non-data': 2 });
});

test('a zone named in an invalid row proves nothing', async () => {
  const broken = 'All times are UTC,C-1,2024-03-01 10:00,,\nnobody@example.org,All times are UTC,,,\n';
  const { counts } = await stagedTimes(`${csvOf(exportRows(100))}${broken}`, sourceOf());
  expect(counts).toMatchObject({ staged: 100, invalid: 2 });
});

test('a corrected file is read by the notes above its rows', async () => {
  const rows = [...exportRows(100), exportRow(100, { email: 'nobody' })];
  const { ledger } = await stagedTimes(`All times are UTC\n${csvOf(rows)}`);
  await restage(ledger, 1, sourceOf());
  expect(await times(ledger)).toEqual([]);
  await restage(ledger, 1, sourceOf({ timeZone: 'UTC' }));
  expect(await times(ledger)).toHaveLength(100);
});

test('notes above and below that disagree need confirmation', async () => {
  const content = `Time zone: Europe/Paris\n${csvOf(exportRows(3))}\nAll times are UTC\n`;
  const { counts } = await stagedTimes(content);
  expect(counts).toMatchObject({ staged: 0, invalid: 3 });
});

test('a note above a workbook’s table makes its rows invalid, unless the source has the same zone', async () => {
  const book = workbookWith([['All times are UTC'], [], HEADER, ...IN_ZONES.map((row) => row.slice(0, 3))]);
  expect((await stagedTimes(book, sourceOf())).counts).toMatchObject({ staged: 0, invalid: 2 });
  expect((await stagedTimes(book)).counts).toMatchObject({ staged: 0, invalid: 2 });
  expect((await stagedTimes(book, sourceOf({ timeZone: 'UTC' }))).times).toEqual([
    '2024-07-01T12:00:00.000Z',
    '2024-07-01T12:00:00.000Z',
  ]);
});
