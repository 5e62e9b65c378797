import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../src/domain/row.js';
import { NO_PROFILE, type Profile } from '../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import {
  firstUndecided,
  headerOf,
  normaliseFile,
  profileDrop,
  profileSample,
  rowsOf,
  sourceWith,
} from './builders.js';

const SAMPLED = { ...NO_PROFILE, isWhole: false };
const HEADER = ['Email', 'Course ID', 'Completed on'];

/** Two batches, as a reader would give them. */
async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows.slice(0, 2);
  yield rows.slice(2);
}

async function profile(dates: readonly Cell[], settings: Record<string, unknown> = {}) {
  const rows = rowsOf([HEADER, ...dates.map((date) => ['a@example.com', 'C1', date])]);
  return profileDrop(inBatches(rows), headerOf([HEADER]), submitCompletion, sourceWith(settings));
}

describe('the order of day and month', () => {
  test.each<[string, Cell[], string | null]>([
    ['a day above 12 at the front', ['01/02/2024', '13/02/2024'], 'day-first'],
    ['a day above 12 in the middle', ['01.02.2024', null, '02.13.2024 10:00'], 'month-first'],
    ['nothing', ['01/02/2024', '03/03/2024'], null],
    ['dates that are no dates', ['31/02/2024', '40/50/2024', 'soon'], null],
    [
      'dates that need no order',
      ['2024-02-13', '13 February 2024', { date: '2024-02-13T00:00:00.000' }],
      null,
    ],
  ])('is proven by %s', async (_, dates, order) => {
    expect(await profile(dates)).toEqual({ ...NO_PROFILE, dateOrders: { 'completed-at': order } });
  });

  test('that a column writes both ways round is an issue of the drop, with both lines', async () => {
    const { dateOrders, issues } = await profile(['01/02/2024', '13/02/2024', '02/14/2024', '15/02/2024']);
    expect(dateOrders['completed-at']).toBeNull();
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toBe(
      'Completed on has the day first in line 3 ("13/02/2024") and the month first in line 4 ("02/14/2024")',
    );
  });

  test('is not proven by text above the header', async () => {
    const lines = [['Exported', '', '31/12/2024'], HEADER, ['a@example.com', 'C1', '01/02/2024']];
    const rows = inBatches(rowsOf(lines));
    const found = await profileDrop(rows, headerOf(lines), submitCompletion, sourceWith());
    expect(found.dateOrders).toEqual({ 'completed-at': null });
  });
});

describe('rows that become no records prove nothing', () => {
  const WIDE = ['Email', 'Course ID', 'Completed on', 'Score', 'Status'];
  const good = (date: Cell, score: Cell = 1) => ['a@example.com', 'C1', date, score, 'Completed'];
  const wide = (rows: readonly (readonly Cell[])[]) =>
    profileDrop(inBatches(rowsOf([WIDE, ...rows])), headerOf([WIDE]), submitCompletion, sourceWith());

  test.each<[string, Cell[]]>([
    ['a footer', ['End of report', null, '31/12/2025', 85, null]],
    ['a total', ['Total', null, '31/12/2025', 85, null]],
    ['an average', ['Average', null, '31/12/2025', 81, null]],
    ['a note', ['Exported', null, '31/12/2025', 85, null]],
    ['a line of a test', ['TEST', 'x', '31/12/2025', 85, 'Completed']],
    ['a row without its course', ['b@example.com', null, '31/12/2025', 85, 'Completed']],
    ['a row with another fault', ['b@example.com', 'C2', '31/12/2025', 85, 'Perhaps']],
    ['a row that is skipped', ['b@example.com', 'C2', '31/12/2025', 85, 'In progress']],
    ['a row with a surplus cell', ['b@example.com', 'C2', '31/12/2025', 85, 'Completed', 'x']],
    ['a date with an invalid score', ['b@example.com', 'C2', '31/12/2025', 'x1', 'Completed']],
  ])('neither an order nor a scale: %s', async (_, row) => {
    const found = await wide([good('01/02/2024'), row, good('03/04/2024'), [], row]);
    expect([found.dateOrders, found.scales, found.issues]).toEqual([
      { 'completed-at': null },
      { percentile: null },
      [],
    ]);
  });

  test.each<[string, string]>([
    ['a header', 'Rating'],
    ['a header that is a number', '9'],
  ])('neither do rows below the header of another table: %s', async (_, last) => {
    const other = ['E-mail', 'Course ID', 'Assigned', last, 'Remark'];
    const day = { date: '2024-02-01T00:00:00.000' };
    const found = await wide([good(day), other, good('31/12/2025', 85)]);
    expect(found).toMatchObject({
      dateOrders: { 'completed-at': null },
      scales: { percentile: null },
      issues: [],
    });
    const ofSheets = inBatches([
      ...rowsOf([WIDE, good('01/02/2024'), other]),
      ...rowsOf([WIDE, good('13/02/2024')]),
    ]);
    const { dateOrders } = await profileDrop(ofSheets, headerOf([WIDE]), submitCompletion, sourceWith());
    expect(dateOrders).toEqual({ 'completed-at': 'day-first' });
  });

  test('and contradict nothing that is proven', async () => {
    const { dateOrders, issues } = await wide([
      good('13/02/2024'),
      ['Total', null, '12/31/2025', 5, null],
      ['TEST', 'x', '12/31/2025', 85, 'Completed'],
    ]);
    expect([dateOrders, issues]).toEqual([{ 'completed-at': 'day-first' }, []]);
  });

  const skipped = (date: Cell) => ['b@example.com', 'C2', date, 85, 'In progress'];

  test.each<[string, Cell[][], string]>([
    [
      'a skipped row',
      [good('13/02/2024'), skipped('12/31/2025')],
      'Completed on has the day first in line 2 ("13/02/2024") and the month first in line 3 ("12/31/2025")',
    ],
    [
      'a skipped row above',
      [skipped('13.02.2024'), good('01.13.2024')],
      'Completed on has the day first in line 2 ("13.02.2024") and the month first in line 3 ("01.13.2024")',
    ],
    [
      'a skipped row whose year comes first',
      [skipped('2024-01-13'), good('2024-01-01'), good('2024-13-01')],
      'Completed on has the day before the month in line 4 ("2024-13-01"), and other dates that begin with the year may have it too',
    ],
    [
      'a skipped row with the day before the month, where no record shows either',
      [good('2024-02-03'), skipped('2024-13-01')],
      'Completed on has the day before the month in line 3 ("2024-13-01"), and other dates that begin with the year may have it too',
    ],
  ])('but the same system wrote %s, which contradicts', async (_, rows, message) => {
    expect((await wide(rows)).issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('and prove no width of identifiers', async () => {
    const ids = (id: Cell, course: Cell = 'C1') => [id, course, '2024-02-13'];
    const PEOPLE = ['Employee ID', 'Course ID', 'Completed on'];
    const rows = [ids('0012'), ids('7'), ids('00012', null), ids('00013', null)];
    const found = await profileDrop(
      inBatches(rowsOf([PEOPLE, ...rows])),
      headerOf([PEOPLE]),
      submitCompletion,
      sourceWith(),
    );
    expect(found.shapes).toEqual({ 'user-id': { width: 4, datesAreCodes: true } });
  });

  test('and a row is a proof whatever else the column leaves open', async () => {
    const { dateOrders, scales } = await wide([good('13/02/2024', 0.5), good('01/02/2024', 85)]);
    expect([dateOrders, scales]).toMatchObject([
      { 'completed-at': 'day-first' },
      { percentile: { text: '85' } },
    ]);
  });
});

describe('a date with its year first and the day behind it refuses the column', () => {
  test.each<[string, Cell[], string]>([
    ['dates', ['2025-02-03', '2025-13-01', '2025-03-04'], '2025-13-01'],
    ['times', ['2025-02-03T10:00:00Z', '2025-25-12T10:30:00Z'], '2025-25-12T10:30:00Z'],
    ['slashes', ['2025/02/03', '2025/31/01 10:00'], '2025/31/01 10:00'],
    ['no separators', ['20250203', '20251301'], '20251301'],
    ['another with the month first', ['2025-01-14', '2025-13-01'], '2025-13-01'],
    ['a date with its year last', ['03/04/2025', '2025-13-01'], '2025-13-01'],
  ])('%s', async (_, dates, swapped) => {
    for (const settings of [{}, { dateOrder: 'day-first' }]) {
      const { issues } = await profile(dates, settings);
      expect(issues).toMatchObject([{ code: 'date-order-unknown' }]);
      expect(issues[0]?.message).toContain(`has the day before the month in line 3 ("${swapped}")`);
      expect(issues[0]?.remedy).toContain('datePatterns: [yyyy-dd-MM]');
    }
  });

  test('unless the patterns of the source say so', async () => {
    const dates = ['2024-02-03', '2024-13-01'];
    const source = sourceWith({ timeZone: 'UTC', datePatterns: ['yyyy-dd-MM'] });
    const lines = [HEADER, ...dates.map((date) => ['a@example.com', 'C1', date])];
    expect((await profile(dates, { datePatterns: ['yyyy-dd-MM'] })).issues).toEqual([]);
    expect(
      normaliseFile(lines, source)
        .slice(1)
        .map((row) => 'record' in row && row.record.fields['completed-at']),
    ).toEqual(['2024-03-02T00:00:00.000Z', '2024-01-13T00:00:00.000Z']);
  });

  test('needs all rows where a later one has it', () => {
    const rows = ['2024-02-03', '2024-03-04', '2024-13-01'].map((date) => ['a@example.com', 'C1', date]);
    expect(firstUndecided(rowsOf([HEADER, ...rows]), 3, sourceWith({ timeZone: 'UTC' }))).toBe(4);
  });
});

test('a declared order, or declared patterns, leave no order to prove', async () => {
  expect(await profile(['13/02/2024', '02/14/2024'], { dateOrder: 'day-first' })).toEqual(NO_PROFILE);
  expect(await profile(['13/02/2024', '02/14/2024'], { datePatterns: ['dd/MM/yyyy'] })).toEqual(NO_PROFILE);
});

test('years of two digits prove no order', async () => {
  const found = await profile(['13/02/24', '24/02/13'], { twoDigitYears: 1970 });
  expect(found).toEqual({ ...NO_PROFILE, dateOrders: { 'completed-at': null } });
});

describe('the scale of scores', () => {
  const SCORED = ['Email', 'Course ID', 'Completed on', 'Score'];
  const rowsWith = (scores: readonly Cell[]) =>
    rowsOf([SCORED, ...scores.map((score) => ['a@example.com', 'C1', '2024-03-01', score])]);
  const scaleOf = async (scores: readonly Cell[], settings: Record<string, unknown> = {}) =>
    (
      await profileDrop(
        inBatches(rowsWith(scores)),
        headerOf([SCORED]),
        submitCompletion,
        sourceWith(settings),
      )
    ).scales.percentile;
  const fractions = (count: number): Cell[] => Array.from({ length: count }, (_, index) => (index + 1) / 100);

  test.each<[string, Cell[], Profile['scales'][string]]>([
    ['a number above 10', [0, 1, 'n/a', '85'], { line: 5, text: '85' }],
    ['a number above 10 among fractions', [0.5, '11,5'], { line: 3, text: '11,5' }],
    ['one above 10 among lower ones', [8, 9, 7, 10, '10.5'], { line: 6, text: '10.5' }],
    ['nothing: a number above 1 among fractions', [0.5, '1,5'], null],
    ['nothing: one up to 10', [null, 8, 0], null],
    ['nothing: three up to 10 and none above', ['8', 9.5, 10, 0, null], null],
    ['nothing: grades from 1 to 5', [1, 1, 5, 2], null],
    ['nothing: averages from 0.5 to 4', ['0.5', '3.7', '4.0'], null],
    ['nothing: ten fractions', fractions(10), null],
    ['nothing: passed or not', [0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1], null],
    ['nothing: what is out of range', [850, -3, '101'], null],
    ['nothing: what says its scale itself', ['85%', '9/10', { percent: 85 }, 'passed'], null],
  ])('is proven by %s', async (_, scores, scale) => {
    expect(await scaleOf(scores)).toEqual(scale);
  });

  test('needs no proof where it is declared', async () => {
    expect(await scaleOf(['85'], { scale: '0-1' })).toBeUndefined();
  });

  test('is settled by the first rows where one proves 100, and needs all rows only where it matters', () => {
    const header = headerOf([SCORED]);
    const sampled = (scores: readonly Cell[]) =>
      profileSample(rowsWith(scores), header, submitCompletion, sourceWith());
    expect(sampled([1, 85])).toMatchObject({ isWhole: false, scales: { percentile: { text: '85' } } });
    expect(sampled([0, null, '85%'])).toMatchObject({ isWhole: false, scales: { percentile: null } });
    expect(sampled([1, 0])).toBeNull();
    expect(sampled([8])).toBeNull();
    expect(sampled([8, 85])).toMatchObject({ isWhole: false, scales: { percentile: { text: '85' } } });
    expect(sampled(fractions(20))).toBeNull();
  });
});

const CELL = { date: '2024-02-13T00:00:00.000' };

describe('the profile of the first rows', () => {
  const sampled = (dates: readonly Cell[], settings: Record<string, unknown> = {}) =>
    profileSample(
      rowsOf([HEADER, ...dates.map((date) => ['a@example.com', 'C1', date])]),
      headerOf([HEADER]),
      submitCompletion,
      sourceWith(settings),
    );

  test.each<[Cell]>([['2024-02-13'], ['13 February 2024'], [{ date: '2024-02-13T00:00:00.000' }], ['soon']])(
    'is enough for %j',
    (date) => {
      expect(sampled([date])).toEqual({
        ...NO_PROFILE,
        isWhole: false,
        dateOrders: { 'completed-at': null },
      });
    },
  );

  test.each(['03/04/2024', '13/04/2024', '03.03.2024 10:00'])('is not enough for %s', (date) => {
    expect(sampled(['2024-02-13', date])).toBeNull();
  });

  test('is enough where all is declared, but for date cells beside dates in text of the other order', () => {
    const declared = { dateOrder: 'day-first' };
    expect(sampled(['03/04/2024'], declared)).toEqual(SAMPLED);
    expect(sampled([CELL], declared)).toEqual(SAMPLED);
    expect(sampled(['25/04/2024', { date: '2024-02-03T00:00:00.000' }], declared)).toBeNull();
  });

  test('does not look above the header', () => {
    const lines = [['Exported', '', '31/12/2024'], HEADER, ['a@example.com', 'C1', '2024-02-13']];
    expect(profileSample(rowsOf(lines), headerOf(lines), submitCompletion, sourceWith())).not.toBeNull();
  });
});
