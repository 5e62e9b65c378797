import { describe, expect, it } from 'vitest';
import { packRows } from '../../../src/ledger/drops/rows/pack-rows.js';
import { keyMaker } from '../../../src/ledger/submissions/record/keys.js';
import { preparedRecord } from '../../../src/ledger/submissions/record/record-identifier.js';
import type { PreparedRow } from '../../../src/ledger/submissions/staged-rows.js';
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
  const block = packRows(
    rows.map(({ line }) => ({ line, cells: ['a'] })),
    () => true,
  );
  return structuredClone(packStep({ rowsRead: rows.length, batch: { rows, block } }));
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
    const given = [...rowsOf([stepOf(...rows)])];
    expect(given.toSorted((a, b) => a.line - b.line)).toEqual(rows);
  });

  it('has its records in line order, and those of the next step behind them', () => {
    const steps = [stepOf(recordOf(2), recordOf(3)), stepOf(recordOf(4), recordOf(5))];
    expect([...rowsOf(steps)].map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  it('gives nothing where it has no rows', () => {
    expect([...rowsOf([stepOf()])]).toEqual([]);
  });
});
