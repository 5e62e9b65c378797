import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../src/domain/row.js';
import { needsProfile, profileDrop } from '../../src/normalise/profile.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { headerOf, rowsOf, sourceWith } from './builders.js';

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
    expect(await profile(dates)).toEqual({ dateOrders: { 'completed-at': order }, issues: [] });
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

test('a declared order needs no pass over the drop', async () => {
  const source = sourceWith({ dateOrder: 'day-first' });
  expect(needsProfile(headerOf([HEADER]), submitCompletion, source)).toBe(false);
  expect(needsProfile(headerOf([HEADER]), submitCompletion, sourceWith())).toBe(true);
  expect(await profile(['13/02/2024', '02/14/2024'], { dateOrder: 'day-first' })).toEqual({
    dateOrders: {},
    issues: [],
  });
});
