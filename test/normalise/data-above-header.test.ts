import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/row.js';
import { dataAboveHeader } from '../../src/normalise/likely-records.js';
import { findHeader } from '../../src/normalise/mapping/find-header.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { foundHeader, rowsOf, sourceWith } from './builders.js';

const HEADER = ['Email', 'Course ID', 'Completion Date'];
const DATA = ['f@example.com', 'C-1', '2024-03-14'];

function judged(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  const source = sourceWith(settings);
  const header = foundHeader(findHeader(rowsOf(lines), submitCompletion, source));
  return dataAboveHeader(rowsOf(lines), { operation: submitCompletion, source, header });
}

describe('a row above the header that would be a record below it', () => {
  test('makes the drop ambiguous: the header line, how many rows, and the first of them are named', () => {
    const above = [
      ['a@example.com', 'C-1', '2024-03-14'],
      ['b@example.com', 'C-2', '2024-03-15'],
    ];
    const issue = judged([['Report'], ...above, HEADER, DATA]);
    expect(issue).toMatchObject({ code: 'data-above-header', value: 'a@example.com C-1 2024-03-14' });
    expect(issue?.message).toContain('the header is line 4, and above it are 2 rows');
    expect(issue?.message).toContain('the first in line 2 ("a@example.com C-1 2024-03-14")');
    expect(issue?.remedy).toContain('put the header into line 1');
  });

  test.each<[string, Cell[][], Record<string, unknown>]>([
    ['a date cell of a workbook', [['a@example.com', 'C-9', { date: '2024-03-14T00:00:00.000' }]], {}],
    ['a date whose order nothing proves', [['a@example.com', 'C-9', '04/03/2024']], {}],
    ['a date out of range', [['a@example.com', 'C-1', '1901-03-04']], {}],
  ])('is known by an address and %s', (_, above, settings) => {
    expect(judged([...above, HEADER, DATA], settings)).toMatchObject({ code: 'data-above-header' });
  });

  test('is known by what is below where learners have no addresses', () => {
    const lines = [
      ['E1001', 'C-1', '14.03.2024'],
      ['Employee ID', 'Course ID', 'Completion Date'],
      ['E1002', 'C-1', '15.03.2024'],
    ];
    expect(judged(lines)).toMatchObject({ code: 'data-above-header' });
  });
});

test.each<[string, Cell[][]]>([
  ['a title', [['Report generated 2024-03-01'], ['Course: Fire Safety']]],
  ['filters with their values', [['From', '2024-01-01', 'To', '2024-03-31']]],
  ['who made it', [['User: ann@example.com', '', '']]],
  ['a person and a day', [['ann@example.com', '', '2024-03-01']]],
  ['an address under another column', [['Made by', 'ann@example.com', '2024-03-01']]],
  [
    'a table of totals',
    [
      ['Course', 'Completions', 'Last'],
      ['C-1', '12', '2024-03-14'],
      ['C-2', '3', '2024-03-15'],
    ],
  ],
  ['an invalid date', [['ann@example.com', 'C-1', 'completed']]],
])('%s above the header is no record', (_, above) => {
  expect(judged([...above, HEADER, DATA])).toBeNull();
});
