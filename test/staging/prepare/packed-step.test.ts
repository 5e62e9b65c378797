import { describe, expect, it } from 'vitest';
import { joinCells } from '../../../src/ledger/drops/rows/joined-cells.js';
import { keyMaker } from '../../../src/ledger/submissions/record/keys.js';
import { preparedRecord } from '../../../src/ledger/submissions/record/record-identifier.js';
import type { PreparedRow } from '../../../src/ledger/submissions/staging/staged-rows.js';
import { createCourse } from '../../../src/operations/create-course.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { type PackedStep, packStep, rowsOf } from '../../../src/staging/prepare/packed-step.js';

const KEYS = keyMaker('0'.repeat(64));
const COMPLETION = {
  'user-identifier-type': 'Email',
  'content-id-type': 'ExternalId',
  'content-type': 'course',
  'completed-at': '2026-01-10T09:00:00.000Z',
};

const recordOf = (line: number, user = 'ada@example.com', content = 'C-1'): PreparedRow => {
  const fields = { ...COMPLETION, 'user-id': user, 'content-id': content, percentile: line };
  return {
    kind: 'record',
    line,
    ...preparedRecord({ operation: submitCompletion, environment: 'main' }, KEYS, { fields }),
  };
};

const courseOf = (line: number): PreparedRow => ({
  kind: 'record',
  line,
  ...preparedRecord({ operation: createCourse, environment: 'main' }, KEYS, {
    fields: { 'content-id': '{', title: '{' },
  }),
});

function stepOf(...rows: PreparedRow[]): PackedStep {
  const read = rows.map(({ line, kind }) => ({ line, cells: kind === 'blank' ? [] : [`a\n${line}`] }));
  return structuredClone(packStep({ rowsRead: rows.length, batch: { rows, cells: joinCells(read) } }));
}

describe('a packed step', () => {
  it.each([
    ['ASCII', 'ada'],
    ['text of other alphabets', 'Zoë 漢字 🎓'],
  ])('gives each row back as it was packed, on another thread: %s', (_, name) => {
    const rows: PreparedRow[] = [
      { kind: 'blank', line: 2 },
      recordOf(3, name),
      recordOf(4, '{', name),
      { kind: 'invalid', line: 5, issues: [] },
      recordOf(6),
      {
        ...recordOf(7),
        further: [],
        formers: [
          { learner: '9'.repeat(16), content: '8'.repeat(16), occurredAt: null, digest: '7'.repeat(16) },
        ],
      } as PreparedRow,
      courseOf(8),
    ];
    expect([...rowsOf([stepOf(...rows)])]).toEqual(
      rows.map((row) => ({
        row,
        cells: row.kind === 'blank' ? null : `["a\\n${row.line}"]`,
        strayQuotes: null,
      })),
    );
  });

  it('has its rows in line order, and those of the next step behind them', () => {
    const steps = [stepOf(recordOf(2), recordOf(3)), stepOf({ kind: 'blank', line: 4 }, recordOf(5))];
    expect([...rowsOf(steps)].map(({ row }) => row.line)).toEqual([2, 3, 4, 5]);
  });

  it('gives nothing where it has no rows', () => {
    expect([...rowsOf([packStep({ rowsRead: 3, batch: null })])]).toEqual([]);
  });

  it('has the stray quotes of the rows that have any, and no cells of those that must not be kept', () => {
    const rows = [recordOf(2), recordOf(3), recordOf(4)];
    const read = [
      { line: 2, cells: ['a'] },
      { line: 3, cells: ['b', 'c'], strayQuotes: [1] },
      { line: 4, cells: ['d'], strayQuotes: [0] },
    ];
    const cells = joinCells(read, ({ line }) => line < 4);
    const given = [...rowsOf([structuredClone(packStep({ rowsRead: 3, batch: { rows, cells } }))])];
    expect(given.map(({ cells, strayQuotes }) => [cells, strayQuotes])).toEqual([
      ['["a"]', null],
      ['["b","c"]', '[1]'],
      [null, null],
    ]);
  });
});
