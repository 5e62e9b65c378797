import { expect, it } from 'vitest';
import { noDispositions } from '../../../src/domain/row.js';
import { sheetWords, statedZoneWords } from '../../../src/report/words/sheet-words.js';

const words = (overrides: Partial<Parameters<typeof sheetWords>[0]>) =>
  sheetWords({
    dispositions: { ...noDispositions(), staged: 400, invalid: 12, 'non-data': 2, blank: 3 },
    hiddenRows: 0,
    sheetsLeft: [],
    ...overrides,
  });

it.each([
  [{}, []],
  [
    { hiddenRows: 12 },
    ['12 of 412 rows are hidden in the sheet (a filter?); they are imported like the others'],
  ],
  [{ sheetsLeft: [{ name: 'Pivot', rows: 1 }] }, ['sheet not read: "Pivot" (1 row)']],
  [
    {
      sheetsLeft: [
        { name: 'Pivot', rows: 40 },
        { name: 'Notes', rows: null },
      ],
    },
    ['sheets not read: "Pivot" (40 rows), "Notes"'],
  ],
])('what should be known of a file’s sheets is said: %#', (overrides, expected) => {
  expect(words(overrides)).toEqual(expected);
});

it('says which lines and columns name the zone of the times', () => {
  expect(statedZoneWords([])).toBeNull();
  expect(
    statedZoneWords([
      { line: null, text: 'UTC Offset' },
      { line: 203, text: 'US/Pacific' },
    ]),
  ).toBe('zone of the times by column "UTC Offset" and line 203 (US/Pacific)');
});
