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

/** The defaults that the sentences say to write. */
function defaultsFrom(remedies: readonly string[]): Record<string, string> {
  const maps = [...remedies.join('\n').matchAll(/defaults: (\{[^}]*\})/g)];
  return Object.assign({}, ...maps.map(([, map = '']) => parse(map)));
}

test('fields without a column are named in one sentence with the setting for them', () => {
  const lines = [
    ['Wer', 'Was', 'Erledigt'],
    ['ann@example.com', 'FS-1', '2024-03-01'],
  ];
  expect(remediesOf(lines)).toEqual([
    'name the columns as the file has them: columns: { user-id: …, content-id: …, completed-at: … } for the source in registrar.yaml, or in defaults what is the same for all rows, or correct the file',
  ]);
  const columns = { 'user-id': 'Wer', 'content-id': 'Was', 'completed-at': 'Erledigt' };
  const rows = normaliseFile(lines, sourceWith({ timeZone: 'UTC', columns })).slice(-1);
  expect(rows).toMatchObject([{ disposition: 'record' }]);
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
      const settings = { timeZone: 'UTC', defaults: defaultsFrom(remediesOf(lines)) };
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
      expect.stringContaining('columns: { content-id: … }'),
      expect.stringContaining('defaults: { user-identifier-type: UserId }'),
    ]);
  });
});

test('a sheet is reported in time in proportion to its columns', () => {
  const wideSheet = (columns: number) => {
    const wide = Array.from({ length: columns }, (_, index) => `Answer ${index}`);
    const rows = Array.from({ length: 40 }, () => ['Fire Safety', ...wide.map(() => 'x')]);
    return remediesOf([['Course', ...wide], ...rows]);
  };
  expect(wideSheet(2_000)).toHaveLength(1);
  expect(isLinear(wideSheet, 500)).toBe(true);
});
