import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Cell } from '../../../src/domain/row.js';
import { inferMapping } from '../../../src/normalise/infer/infer-mapping.js';
import { findHeader } from '../../../src/normalise/mapping/find-header.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { isLinear } from '../../support/growth.js';
import { normaliseFile, rowsOf, sourceWith } from '../builders.js';

type Lines = readonly (readonly Cell[])[];

function remediesOf(lines: Lines, settings: Record<string, unknown> = {}): readonly string[] {
  const found = findHeader(rowsOf(lines), submitCompletion, sourceWith(settings));
  return found.kind === 'refused' ? found.issues.map(({ remedy }) => remedy) : [];
}

/** The settings that the sentences say to write, with `other` for those that only a person knows. */
function settingsFrom(remedies: readonly string[], other: Readonly<Record<string, string>> = {}) {
  const settings: Record<string, Record<string, unknown>> = { columns: {}, defaults: {} };
  for (const [, key = '', map = ''] of remedies.join('\n').matchAll(/(columns|defaults): (\{[^}]*\})/g)) {
    const written = parse(map) as Record<string, string>;
    for (const [field, value] of Object.entries(written)) {
      settings[key] = { ...settings[key], [field]: value === '…' ? other[field] : value };
    }
  }
  return settings;
}

/** Files as systems write them that lack something, with the remedy for each. */
const FILES: Readonly<Record<string, { lines: Lines; remedy: string; other?: Record<string, string> }>> = {
  'a title in the place of the number': {
    lines: [
      ['Email', 'Course', 'Completed on'],
      ['ann@example.com', 'Fire Safety', '2024-03-01'],
      ['bob@example.com', 'First Aid', '2024-03-02'],
    ],
    remedy:
      '"Course" holds the title; if the platform knows contents by it: columns: { content-id: "Course" } for the source in registrar.yaml, or correct the file',
  },
  'all three fields': {
    lines: [
      ['Wer', 'Was', 'Erledigt'],
      ['ann@example.com', 'FS-1', '2024-03-01'],
      ['bob@example.com', 'FA-1', '2024-03-02'],
    ],
    remedy:
      'name the columns as the file has them: columns: { user-id: "Wer", content-id: "Was", completed-at: "Erledigt" } for the source in registrar.yaml, or correct the file',
  },
  'a file of one course': {
    lines: [
      ['First name', 'Last name', 'E-mail', 'Completion date', 'Department'],
      ['Ann', 'Lee', 'ann@example.com', '2024-03-01', 'Sales'],
      ['Bob', 'Ray', 'bob@example.com', '2024-03-02', 'Sales'],
    ],
    remedy:
      'no column can give content-id: if it is the same for all rows, defaults: { content-id: … } for the source in registrar.yaml, or correct the file',
    other: { 'content-id': 'FS-1' },
  },
  'a time beside others that are none': {
    lines: [
      ['Email', 'Course ID', 'Start date', 'Due date', 'Erreicht'],
      ['ann@example.com', 'C1', '2024-01-01', '2024-04-01', '2024-03-01'],
    ],
    remedy: 'columns: { completed-at: "Erreicht" }',
  },
  'no time at all': {
    lines: [
      ['Email', 'Course ID', 'Due date'],
      ['ann@example.com', 'C1', '2024-04-01'],
    ],
    remedy: 'no column can give completed-at: if it is the same for all rows, defaults: { completed-at: … }',
    other: { 'completed-at': '2024-03-31' },
  },
  'a header that YAML would take for something else': {
    lines: [
      ['Learner: e-mail', 'Course ID', 'Done "at"'],
      ['ann@example.com', 'C1', '2024-03-01'],
    ],
    remedy: 'columns: { user-id: "Learner: e-mail", completed-at: "Done \\"at\\"" }',
  },
};

describe.each(Object.entries(FILES))('%s', (_, { lines, remedy, other }) => {
  test('is reported in one line, with the facts that the file gives', () => {
    expect(remediesOf(lines).join('\n')).toContain(remedy);
  });

  test('is read once that is written', () => {
    const settings = { timeZone: 'UTC', ...settingsFrom(remediesOf(lines), other) };
    const rows = normaliseFile(lines, sourceWith(settings)).slice(-1);
    expect(rows).toMatchObject([{ disposition: 'record' }]);
  });
});

test('defaults are not offered where a column may give the field', () => {
  const lines = [
    ['Email', 'Ref', 'Code', 'Completed on'],
    ['ann@example.com', 'R1', 'C1', '2024-03-01'],
  ];
  expect(remediesOf(lines)).toEqual([
    'name the columns as the file has them: columns: { content-id: … } for the source in registrar.yaml, or correct the file',
  ]);
});

describe('the kind of identifier', () => {
  const KINDS: readonly (readonly [string, readonly string[], string])[] = [
    ['User ID', ['10023', '10024'], 'EmployeeId'],
    ['User ID', ['E10023', 'E10024'], 'EmployeeId'],
    ['Username', ['alee', 'bray'], 'UserId'],
    [
      'Unique User ID',
      ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '0b1c6679-7425-40de-944b-e07fc1f90ae7'],
      'UserId',
    ],
    ['Login', ['alee', 'bray'], 'UserId'],
    ['UPN', ['alee', 'bob@example.com'], 'UserId'],
    ['Benutzername', ['alee', '10023'], 'UserId'],
  ];

  test.each(KINDS)(
    'of "%s" with %j needs confirmation, and check and init both propose %s',
    (header, values, kind) => {
      const lines = [
        [header, 'Course ID', 'Completed on'],
        ...values.map((value) => [value, 'C1', '2024-03-01']),
      ];
      expect(remediesOf(lines).join('\n')).toContain(`defaults: { user-identifier-type: ${kind} }, or `);
      const inferred = inferMapping(lines[0] ?? [], lines.slice(1), submitCompletion);
      expect(inferred.defaults[0]).toMatchObject({
        field: 'user-identifier-type',
        value: kind,
        confirm: true,
      });
      const settings = { timeZone: 'UTC', ...settingsFrom(remediesOf(lines)) };
      expect(normaliseFile(lines, sourceWith(settings))[1]).toMatchObject({ disposition: 'record' });
    },
  );

  test.each(['User ID', 'Login', 'Username', 'UPN', 'Student ID'])(
    'of "%s" is Email where all values are addresses',
    (header) => {
      const lines = [
        [header, 'Course ID', 'Completed on'],
        ['ann@example.com', 'C1', '2024-03-01'],
        ['="bob@example.com"', 'C1', '2024-03-01'],
      ];
      expect(normaliseFile(lines)[2]).toMatchObject({
        record: { fields: { 'user-id': 'bob@example.com', 'user-identifier-type': 'Email' } },
      });
      const inferred = inferMapping(lines[0] ?? [], lines.slice(1), submitCompletion);
      expect(inferred.defaults[0]).toMatchObject({ value: 'Email', confirm: false });
    },
  );

  test('that the header says stays, whatever the values are', () => {
    const lines = [
      ['Employee ID', 'Course ID', 'Completed on'],
      ['ann@example.com', 'C1', '2024-03-01'],
    ];
    expect(normaliseFile(lines)[1]).toMatchObject({
      record: { fields: { 'user-identifier-type': 'EmployeeId' } },
    });
    const broken = [
      ['Email', 'Course ID', 'Completed on'],
      ['alee', 'C1', '2024-03-01'],
    ];
    expect(normaliseFile(broken)[1]).toMatchObject({ issues: [{ code: 'email-invalid' }] });
  });

  test('is reported together with the other missing fields', () => {
    const remedies = remediesOf([
      ['Username', 'Course', 'Completed on'],
      ['alee', 'Fire Safety', '2024-03-01'],
    ]);
    expect(remedies).toEqual([
      expect.stringContaining('columns: { content-id: "Course" }'),
      expect.stringContaining('defaults: { user-identifier-type: UserId }'),
    ]);
  });
});

test('a sheet is reported in time in proportion to its columns', () => {
  const wideSheet = (columns: number) => {
    const wide = Array.from({ length: columns }, (_, index) => `Answer ${index}`);
    const rows = Array.from({ length: 10 }, () => ['Fire Safety', ...wide.map(() => 'x')]);
    return remediesOf([['Course', ...wide], ...rows]);
  };
  expect(wideSheet(2_000)).toHaveLength(1);
  expect(isLinear(wideSheet, 500)).toBe(true);
});
