import { describe, expect, test } from 'vitest';
import { type Cell, UNSAVED_FORMULA } from '../../src/domain/row.js';
import { likelyRecords } from '../../src/normalise/likely-records.js';
import { findHeader } from '../../src/normalise/mapping/find-header.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { foundHeader, rowsOf, sourceWith } from './builders.js';

const TABLE = [
  ['Email', 'Course ID', 'Completed on', 'Score'],
  ['ann@example.com', 'C-1', '2024-03-01', 85],
  ['bob@example.com', 'C-2', '2024-03-02', 90],
];

function isLikely(cells: readonly Cell[], table: readonly (readonly Cell[])[] = TABLE): boolean {
  const rows = rowsOf(table);
  const source = sourceWith({});
  const header = foundHeader(findHeader(rows, submitCompletion, source));
  const [row] = rowsOf([cells]);
  if (!row) throw new Error('there is a row');
  return likelyRecords({ operation: submitCompletion, source, header }, rows)(row);
}

describe('a row under no header', () => {
  test.each<[string, readonly Cell[]]>([
    ['reads like the rows of the table', ['eve@example.com', 'C-77', '2024-03-09', 12]],
    ['lacks what no record needs', ['eve@example.com', 'C-77', '2024-03-09']],
    ['has a date of either order', ['eve@example.com', 'C-77', '03/04/2024', 12]],
    ['has a date that would be refused', ['eve@example.com', 'C-77', '1987-03-09', 12]],
    ['has formulas without values', ['eve@example.com', { error: UNSAVED_FORMULA }, '2024-03-09', 12]],
  ])('may be a record when it %s', (_, cells) => {
    expect(isLikely(cells)).toBe(true);
  });

  test.each<[string, readonly Cell[]]>([
    ['is a header', ['Email', 'Course ID', 'Completed on', 'Score']],
    ['is a sum by person', ['eve@example.com', 12, '2024-03-09']],
    ['is a title', ['Completions of March']],
    ['is a pivot', ['C-1', 12, 80.5]],
    ['is an entry of a list of courses', ['C-1', 'Fire safety', '2024-03-01']],
    ['is wider than the table', ['eve@example.com', 'C-77', '2024-03-09', 12, 'x']],
    ['has no learner', [null, 'C-77', '2024-03-09', 12]],
    ['is a legend', ['Score', 'of 100', null, null]],
  ])('is none when it %s', (_, cells) => {
    expect(isLikely(cells)).toBe(false);
  });

  test('whose identifiers are numbers or words goes with such identifiers alone', () => {
    const numbered = [
      ['Employee ID', 'Course ID', 'Completed on'],
      [4711, 12, '2024-03-01'],
    ];
    expect(isLikely([4712, 13, '2024-03-02'], numbered)).toBe(true);
    expect(isLikely([4712, 'Fire safety', '2024-03-02'], numbered)).toBe(false);
    expect(isLikely(['Ann Lee', 13, '2024-03-02'], numbered)).toBe(false);
  });
});
