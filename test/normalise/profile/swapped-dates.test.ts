import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { watchDates } from '../../../src/normalise/profile/swapped-dates.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { headerOf } from '../builders.js';

const day = (date: string, time = '00:00:00.000') => ({ date: `${date}T${time}` });

const HEADER = headerOf([['Email', 'Course ID', 'Completed on']]);

function issueOf(cells: readonly Cell[]) {
  const [watch] = watchDates({ header: HEADER, operation: submitCompletion });
  for (const [index, cell] of cells.entries()) watch?.add({ line: index + 2, cells: ['', '', cell] });
  return watch?.result().issues?.[0] ?? null;
}

describe('dates that a spreadsheet has swapped', () => {
  test('are date cells with days up to 12 beside texts that nothing reads the other way round', () => {
    const issue = issueOf([day('2024-05-01'), '01/25/2024', null, day('2024-06-02'), '02/13/2024']);
    expect(issue).toMatchObject({ code: 'dates-swapped', column: 'Completed on' });
    expect(issue?.message).toContain('2 of 2 with a day up to 12 (the first in line 2: 2024-05-01)');
    expect(issue?.message).toContain('with a number above 12 (the first in line 3: "01/25/2024")');
    expect(issue?.message).toContain('a spreadsheet that expects the day first');
    expect(issue?.remedy).toContain('exported again');
  });

  test.each<[string, Cell[]]>([
    ['the day first, opened where the month is', [day('2024-01-05'), '25.01.2024']],
    ['with times', [day('2024-05-01', '10:30:00.000'), '1/25/2024 2:30 PM']],
    ['with years of two digits', [day('2024-05-01'), '1/25/24']],
    ['one of twenty put right since', [...Array(20).fill(day('2024-05-01')), day('2024-05-25'), '1/25/24']],
    ['beside one that could be either way', [day('2024-05-01'), '01/25/2024', '01/02/2024']],
    ['beside dates that are no numbers', [day('2024-05-01'), '1/25/2024', '2024-05-25', '25 May 2024']],
  ])('are found in texts: %s', (_, cells) => {
    expect(issueOf(cells)).toMatchObject({ code: 'dates-swapped' });
  });

  test.each<[string, Cell[]]>([
    ['there are no texts', [day('2024-05-01'), day('2024-06-02')]],
    ['there are no date cells', ['01/25/2024', '02/13/2024']],
    ['the texts need no order', [day('2024-05-01'), '2024-05-25', '25 May 2024', 'n/a']],
    ['the text is no day of the calendar', [day('2024-05-01'), '31/11/2024', '25/13/2024']],
    ['a date cell has a later day', [day('2024-05-01'), day('2024-05-25'), '01/25/2024']],
    ['the texts are no dates', [day('2024-05-01'), '45/25/2024', '1/2', 'Fire 1/25/2024']],
  ])('are not suspected where %s', (_, cells) => {
    expect(issueOf(cells)).toBeNull();
  });
});

test.each<[string, Cell[], boolean]>([
  ['date cells and then a numeric text', [day('2024-05-01'), '', '01/25/2024'], true],
  ['a numeric text and then date cells', ['1.25.2024', null, day('2024-05-01')], true],
  ['one kind alone', ['01/25/2024', '2024-05-01', 'soon', null, 45_000], false],
])('the whole column must be known after %s', (_, cells, isAsked) => {
  const [watch] = watchDates({ header: HEADER, operation: submitCompletion });
  for (const [index, cell] of cells.entries()) watch?.add({ line: index + 2, cells: ['', '', cell] });
  expect(watch?.asksForAll()).toBe(isAsked);
});
