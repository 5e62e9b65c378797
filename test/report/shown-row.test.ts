import { describe, expect, it } from 'vitest';
import type { AttentionSample } from '../../src/ledger/books/rows/browsed-rows.js';
import { maskedRow, shownRow } from '../../src/report/shown-row.js';

/** A row that the platform refused; the test says what is special. */
function sample(given: Partial<AttentionSample> = {}): AttentionSample {
  return {
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
    ...given,
  };
}

/** A row that is no record. */
function invalid(
  column: string | null,
  value: string,
  because: string,
  given: Partial<AttentionSample> = {},
) {
  const message = `${column ?? 'the row'} "${value}" ${because}`;
  const issue = { code: 'score-invalid' as const, column, value, message, remedy: `correct "${value}"` };
  return sample({ state: 'invalid', record: null, requests: 0, answer: null, issues: [issue], ...given });
}

const fieldsOf = (row: AttentionSample) =>
  maskedRow(row).fields.map(({ name, inFile, asRead }) => [name, inFile, asRead]);

describe('a masked row', () => {
  it('shows the file beside what was read, and of the learner the beginning alone', () => {
    expect(fieldsOf(sample())).toEqual([
      ['user-id', ' J…@E….com', 'j…@e….com'],
      ['user-identifier-type', null, 'Email'],
      ['content-id', 'C-1', 'C-1'],
      ['completed-at', '03.02.2025', '2025-02-03T00:00:00.000Z'],
      ['content-title', 'Safety for j…@e….com', null],
    ]);
  });

  it('leaves out cells that feed no field', () => {
    expect(JSON.stringify(maskedRow(sample()))).not.toMatch(/jane|doe/i);
  });

  it.each<[string, string, string]>([
    ['the address', 'Invalid user identifier: jane.doe@example.com', 'Invalid user identifier: j…@e….com'],
    ['the part before the @', 'no jane.doe at example.com', 'no j… at example.com'],
    ['the address as the file has it', 'no JANE.DOE@EXAMPLE.COM here', 'no J…@E….COM here'],
    ['a name of a cell that is not shown', 'Jane Doe is not active', 'J… D… is not active'],
    ['an address that the row does not have', 'use jd@other.example', 'use j…@o….example'],
  ])('masks %s in the words of the platform', (_, detail, shown) => {
    const answer = { status: 400, detail, errorId: null };
    expect(maskedRow(sample({ answer })).answer).toBe(shown);
  });

  it.each<[string, string | null, string, string]>([
    ['the learner', 'Email', 'jane doe at example', 'j… d… a… e…'],
    ['a column that feeds no field', 'Name', 'Jane "JD" Doe', 'J… "J… D…'],
    ['the whole row', null, 'Jane Doe 0172', 'J… D… 0…'],
    ['a time that holds no digit, as where cells have moved', 'Done', 'Jane', 'J…'],
  ])('masks the value in the sentence about %s', (_, column, value, shown) => {
    const { problems } = maskedRow(invalid(column, value, 'is wrong'));
    expect(problems[0]?.sentence).toBe(`${column ?? 'the row'} "${shown}" is wrong`);
  });

  it('keeps headers and the words of the page where a cell holds the same words, and masks the cell in quotes', () => {
    const header = ['Email', 'Course ID', 'Type', 'Name', 'Status'];
    const cells = ['ada@example.org', '', 'Course', 'Status', 'Erledigt?'];
    const mapping = { 'user-id': 'Email', 'content-id': 'Course ID', status: 'Status' };
    const issue = (column: string, value: string | null, message: string, remedy: string) => ({
      code: 'status-unknown' as const,
      column,
      value,
      message,
      remedy,
    });
    const issues = [
      issue('Course ID', null, 'Course ID is empty, and a record needs it', 'fill it in the file'),
      issue(
        'Status',
        'Erledigt?',
        'Status "Erledigt?" is a status whose meaning is not known',
        'say what it means: status: { completed: ["Erledigt?"] }',
      ),
      issue('Name', 'Status', 'Name "Status" is a status of a course', 'correct "Status"'),
    ];
    const row = sample({ header, cells, mapping, record: null, answer: null, state: 'invalid', issues });
    const sentences = maskedRow(row).problems.map(({ sentence, remedy }) => `${sentence}; ${remedy}`);
    expect(sentences).toEqual([
      'Course ID is empty, and a record needs it; fill it in the file',
      'Status "Erledigt?" is a status whose meaning is not known; say what it means: status: { completed: ["Erledigt?"] }',
      'Name "S…" is a status of a course; correct "S…"',
    ]);
  });

  it('shows the value where it says what is wrong and is no person', () => {
    const { problems } = maskedRow(invalid('Done', '31.02.2025', 'is no date'));
    expect(problems[0]?.sentence).toBe('Done "31.02.2025" is no date');
  });

  it('masks each cell of a row that has more cells than the header', () => {
    const cells = ['x', 'Doe', 'Jane', 'jane@example.com', 'C-1', 'Smith'];
    const row = invalid(null, 'Smith', 'is too much', { cells });
    expect(JSON.stringify(maskedRow(row))).not.toMatch(/jane|doe|smith/i);
  });
});

describe('a row', () => {
  it('that is not masked is shown as it is', () => {
    const { answer, fields } = shownRow(sample());
    expect(answer).toBe('Invalid user identifier: jane.doe@example.com');
    expect(fields[0]).toMatchObject({ inFile: ' Jane.Doe@Example.com', asRead: 'jane.doe@example.com' });
  });

  it('whose text was erased is shown as erased', () => {
    const issues = [
      { code: 'score-invalid' as const, column: 'Done', value: null, message: null, remedy: 'correct it' },
    ];
    const row = sample({ cells: null, record: null, answer: null, state: 'invalid', issues });
    expect(maskedRow(row)).toMatchObject({
      problems: [{ sentence: 'its text was erased' }],
      fields: [{ inFile: null, asRead: null }, {}, {}, {}],
    });
  });

  it('with long values shows how they begin', () => {
    const row = sample({ cells: ['', '', 'C'.repeat(10_000), '', ''], answer: null });
    const inFile = maskedRow(row).fields.find(({ name }) => name === 'content-id')?.inFile;
    expect(inFile).toBe(`${'C'.repeat(120)}…`);
  });
});

describe('a row with a cell of any length', () => {
  it.each<[string, string, string]>([
    ['letters', 'lorem'.repeat(6_400), 'l…'],
    ['digits', '7'.repeat(32_000), '7…7'],
    ['signs that patterns are made of', '(a+)*[$^|?\\'.repeat(2_700), '(a…'],
    ['words', 'Jane Smith '.repeat(2_900), 'J… S… J… S…'],
  ])('shows nothing of it where the platform repeats the %s', (_, comment, masked) => {
    const cells = [comment, 'jane.doe@example.com', 'C-1', '03.02.2025', comment];
    const said = (quote: string) => {
      const answer = { status: 400, detail: `refused because of "${quote}`, errorId: null };
      return maskedRow(sample({ cells, answer })).answer;
    };
    expect(said(`${comment}"`)).toContain(`refused because of "${masked}`);
    expect(said(`${comment.slice(0, 300)}…" and more`)).toContain(`refused because of "${masked}`);
    expect(said(comment)).not.toMatch(/lorem|777|Jane|Smith/);
  });

  it('masks a value whose closing quote is too far away to be shown', () => {
    const header = ['Name', 'Email', 'Course', 'Done', 'Title'.repeat(100)];
    const row = invalid(header[4] ?? '', 'Jane Doe is the name of a very long value'.repeat(5), 'is wrong', {
      header,
    });
    expect(maskedRow(row).problems[0]?.sentence).not.toMatch(/Jane|Doe/);
  });
});
