import { describe, expect, it } from 'vitest';
import type { BrowsedRow } from '../../src/ledger/books/rows/browsed-rows.js';
import { listedRow } from '../../src/report/listed-row.js';

/** A row that the platform refused; the test says what is special. */
function sample(overrides: Partial<BrowsedRow> = {}): BrowsedRow {
  return {
    ...{ source: 'academy', environment: 'main', sheet: null, publishedAt: '2026-03-02T08:00:00.000Z' },
    ...{
      submissionId: 1,
      cause: null,
      code: 'bad-request',
      offending: null,
      since: '2026-03-02T08:00:00.000Z',
    },
    dropId: 1,
    file: 'march.csv',
    operation: 'submit-completion',
    line: 7,
    state: 'rejected',
    header: ['Name', 'Email', 'Course', 'Done', 'Title'],
    mapping: { 'user-id': 'Email', 'content-id': 'Course', 'completed-at': 'Done', 'content-title': 'Title' },
    correctedBy: null,
    cells: ['Jane Doe', ' Jane.Doe@Example.com', 'C-1', '03.02.2025', 'Safety for jane.doe@example.com'],
    record: {
      'user-id': 'jane.doe@example.com',
      'user-identifier-type': 'Email',
      'content-id': 'C-1',
      'completed-at': '2025-02-03T00:00:00.000Z',
    },
    issues: [],
    requests: 1,
    answer: { status: 400, detail: 'Invalid user identifier: jane.doe@example.com', errorId: 'e-1' },
    ...overrides,
  };
}

describe('a row', () => {
  it('has what the file holds beside what was read, and the words of the platform', () => {
    const { answer, fields } = listedRow(sample());
    expect(answer).toBe('Invalid user identifier: jane.doe@example.com');
    expect(fields[0]).toMatchObject({ inFile: ' Jane.Doe@Example.com', asRead: 'jane.doe@example.com' });
  });

  it('whose text was erased is shown as erased', () => {
    const issues = [
      { code: 'score-invalid' as const, column: 'Done', value: null, message: null, remedy: 'correct it' },
    ];
    const row = sample({ cells: null, record: null, answer: null, state: 'invalid', issues });
    expect(listedRow(row)).toMatchObject({
      problems: [{ sentence: 'its text was erased' }],
      fields: [{ inFile: null, asRead: null }, {}, {}, {}],
    });
  });

  it('with long values shows how they begin', () => {
    const row = sample({ cells: ['', '', 'C'.repeat(10_000), '', ''], answer: null });
    const inFile = listedRow(row).fields.find(({ name }) => name === 'content-id')?.inFile;
    expect(inFile).toBe(`${'C'.repeat(120)}…`);
  });
});
