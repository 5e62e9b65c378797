import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../src/domain/row.js';
import { NO_PROFILE, type Profile, profileDrop, profileSample } from '../../src/normalise/profile.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { headerOf, rowsOf, sourceWith } from './builders.js';

const SAMPLED = { ...NO_PROFILE, isWhole: false, watched: expect.any(Array) };
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

  test('is not proven by what stands above the header', async () => {
    const lines = [['Exported', '', '31/12/2024'], HEADER, ['a@example.com', 'C1', '01/02/2024']];
    const rows = inBatches(rowsOf(lines));
    const found = await profileDrop(rows, headerOf(lines), submitCompletion, sourceWith());
    expect(found.dateOrders).toEqual({ 'completed-at': null });
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
    ['a number above 1', [0, 1, 'n/a', '85'], { scale: '0-100', line: 5, text: '85' }],
    ['a number above 1 among fractions', [0.5, '1,5'], { scale: '0-100', line: 3, text: '1,5' }],
    ['one or two up to 10', [null, 8, 0, '7,5'], { scale: '0-100', line: 3, text: '8' }],
    ['one above 10 among lower ones', [8, 9, 7, 10, '10.5'], { scale: '0-100', line: 6, text: '10.5' }],
    ['nothing: three up to 10 and none above', ['8', 9.5, 10, 0, null], { scale: 'unclear', scores: 3 }],
    ['nothing: grades from 1 to 5', [1, 1, 5, 2], { scale: 'unclear', scores: 4 }],
    ['nothing: averages from 0.5 to 4', ['0.5', '3.7', '4.0'], { scale: 'unclear', scores: 3 }],
    ['ten fractions and none above', [...fractions(10), 1, 0], { scale: '0-1' }],
    ['nothing: nine fractions', fractions(9), null],
    ['nothing: passed or not', [0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1], null],
    ['nothing: what is out of range', [850, -3, '101'], null],
    ['nothing: what says its scale itself', ['85%', '9/10', { percent: 85 }, 'passed'], null],
  ])('is proven by %s', async (_, scores, scale) => {
    expect(await scaleOf(scores)).toEqual(scale);
  });

  test('needs no proof where it is declared', async () => {
    expect(await scaleOf(['85'], { scale: '0-1' })).toBeUndefined();
  });

  test('is settled by the first rows where one proves 100, and only asks for all where it matters', () => {
    const header = headerOf([SCORED]);
    const sampled = (scores: readonly Cell[]) =>
      profileSample(rowsWith(scores), header, submitCompletion, sourceWith());
    expect(sampled([1, 85])).toMatchObject({ isWhole: false, scales: { percentile: { scale: '0-100' } } });
    expect(sampled([0, null, '85%'])).toMatchObject({ isWhole: false, scales: { percentile: null } });
    expect(sampled([1, 0])).toBeNull();
    expect(sampled([8])).toBeNull();
    expect(sampled([8, 85])).toMatchObject({ isWhole: false, scales: { percentile: { scale: '0-100' } } });
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
        watched: expect.any(Array),
        dateOrders: { 'completed-at': null },
      });
    },
  );

  test.each(['03/04/2024', '13/04/2024', '03.03.2024 10:00'])('is not enough for %s', (date) => {
    expect(sampled(['2024-02-13', date])).toBeNull();
  });

  test('is enough where all is declared, but for date cells beside numeric dates in text', () => {
    const declared = { dateOrder: 'day-first' };
    expect(sampled(['03/04/2024'], declared)).toEqual(SAMPLED);
    expect(sampled([CELL], declared)).toEqual(SAMPLED);
    expect(sampled(['03/04/2024', CELL], declared)).toBeNull();
  });

  test('does not look above the header', () => {
    const lines = [['Exported', '', '31/12/2024'], HEADER, ['a@example.com', 'C1', '2024-02-13']];
    expect(profileSample(rowsOf(lines), headerOf(lines), submitCompletion, sourceWith())).not.toBeNull();
  });
});
