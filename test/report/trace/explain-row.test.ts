import { describe, expect, it, test } from 'vitest';
import { msFromIso } from '../../../src/domain/clock.js';
import type { Cell } from '../../../src/domain/row.js';
import { NO_PROFILE, type Profile } from '../../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { createRowExplainer } from '../../../src/report/trace/explain-row.js';
import { headerOf, normaliseFile, sourceWith } from '../../normalise/builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on', 'Score', 'Status'];
const GOOD: readonly Cell[] = ['ann@example.com', 'C1', '2024-03-01', 85, 'Completed'];
const NOW_MS = msFromIso('2024-12-31T00:00:00Z');

interface ExplainOptions {
  readonly settings?: Record<string, unknown>;
  readonly profile?: Profile;
  readonly header?: readonly string[];
}

/** How the row below the header came about, by field: before, after, rule. */
function explained(
  row: readonly Cell[],
  { settings, profile = NO_PROFILE, header = HEADER }: ExplainOptions = {},
) {
  const source = sourceWith({ timeZone: 'Europe/Berlin', ...settings });
  const explain = createRowExplainer(
    submitCompletion,
    source,
    headerOf([header, row], source),
    profile,
    NOW_MS,
  );
  const fields = explain({ line: 2, cells: row });
  return Object.fromEntries(fields.map(({ field, before, after, rule }) => [field, [before, after, rule]]));
}

const cell = (index: number, value: Cell) => GOOD.map((good, at) => (at === index ? value : good));

describe('the rule of a value', () => {
  test.each<[string, readonly Cell[], string, ExplainOptions, readonly unknown[]]>([
    ['nothing to do', GOOD, 'user-id', {}, ['ann@example.com', 'ann@example.com', 'as is']],
    [
      'space and case',
      cell(0, ' Ann@Example.com '),
      'user-id',
      {},
      [' Ann@Example.com ', 'ann@example.com', 'trimmed, lower case'],
    ],
    [
      'a name around an address',
      cell(0, 'Ann <ann@example.com>'),
      'user-id',
      {},
      ['Ann <ann@example.com>', 'ann@example.com', 'canonical form'],
    ],
    ['a number', cell(1, 4711), 'content-id', {}, ['4711', '4711', 'exact digits']],
    [
      'a local time',
      cell(2, '2024-07-01 10:00'),
      'completed-at',
      {},
      ['2024-07-01 10:00', '2024-07-01T08:00:00.000Z', 'in Europe/Berlin, as UTC'],
    ],
    [
      'a time that carries its zone',
      cell(2, '2024-07-01T10:00:00+05:00'),
      'completed-at',
      {},
      ['2024-07-01T10:00:00+05:00', '2024-07-01T05:00:00.000Z', 'its own zone, as UTC'],
    ],
    [
      'a date in an order that is declared',
      cell(2, '02/07/2024'),
      'completed-at',
      { settings: { dateOrder: 'day-first' } },
      ['02/07/2024', '2024-07-01T22:00:00.000Z', 'day-first, in Europe/Berlin, as UTC'],
    ],
    [
      'a date whose order the file as a whole would prove',
      cell(2, '02/07/2024'),
      'completed-at',
      { profile: { ...NO_PROFILE, isWhole: false } },
      ['02/07/2024', null, 'needs the whole column'],
    ],
    ['a percentage', cell(3, '85 %'), 'percentile', {}, ['85 %', 85, 'percent']],
    ['a fraction', cell(3, '9/10'), 'percentile', {}, ['9/10', 90, 'fraction of 100']],
    ['a share', cell(3, 0.5), 'percentile', { settings: { scale: '0-1' } }, ['0.5', 50, 'of 1, as of 100']],
    ['an empty cell', cell(3, null), 'percentile', {}, [null, null, 'empty']],
    ['a dash', cell(3, '-'), 'percentile', {}, ['-', null, 'means no value']],
    ['what is refused', cell(3, 'high'), 'percentile', {}, ['high', null, 'refused: score-invalid']],
    [
      'a value of the source',
      GOOD,
      'content-type',
      { settings: { defaults: { 'content-type': 'course' } } },
      [null, 'course', 'source default'],
    ],
    ['a value that neither file nor source gives', GOOD, 'content-type', {}, [null, 'course', 'default']],
    ['the status', GOOD, 'status', {}, ['Completed', null, 'decides whether the row counts']],
  ])('%s', (_, row, field, options, expected) => {
    expect(explained(row, options)[field]).toEqual(expected);
  });
});

it('the values are those that staging makes of the row', () => {
  const rows: (readonly Cell[])[] = [
    GOOD,
    cell(0, ' ANN@example.com'),
    cell(2, '3 March 2024'),
    cell(3, '50%'),
  ];
  for (const row of rows) {
    const [, normalised] = normaliseFile([HEADER, row], sourceWith({ timeZone: 'Europe/Berlin' }));
    if (normalised?.disposition !== 'record') throw new Error('the row is no record');
    const values = Object.entries(explained(row)).flatMap(([field, [, after]]) =>
      after === null ? [] : [[field, after]],
    );
    expect(Object.fromEntries(values)).toEqual(normalised.record.fields);
  }
});
