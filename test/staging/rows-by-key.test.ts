import { describe, expect, it } from 'vitest';
import { packRows } from '../../src/ledger/pack-rows.js';
import type { PreparedRow } from '../../src/ledger/staging.js';
import { type PackedRows, packStep } from '../../src/staging/packed-step.js';
import { rowsByKey } from '../../src/staging/rows-by-key.js';

const recordOf = (line: number, key: string, record = '{"user-id":"ada"}'): PreparedRow => ({
  kind: 'record',
  line,
  keys: { learner: null, slot: '1'.repeat(32), key: key.padEnd(32, '0'), content: '2'.repeat(32) },
  occurredAt: line % 2 === 0 ? null : '2026-01-10T09:00:00.000Z',
  record,
});

function stepOf(...rows: PreparedRow[]): PackedRows {
  const block = packRows(
    rows.map(({ line }) => ({ line, cells: ['a'] })),
    () => true,
  );
  const step = packStep({ kind: 'rows', rowsRead: rows.length, batch: { rows, block } });
  if (step.kind !== 'rows') throw new Error('a step of rows was packed as something else');
  return step;
}

const linesOf = (...steps: PackedRows[]) => [...rowsByKey(steps)].map(({ line }) => line);

describe('rowsByKey', () => {
  it('gives records of several steps in the order of their keys', () => {
    const steps = [stepOf(recordOf(2, 'ff00'), recordOf(3, '0a00')), stepOf(recordOf(4, '0900'))];
    expect(linesOf(...steps)).toEqual([4, 3, 2]);
  });

  it('leaves records of one key in the order of their lines', () => {
    const steps = [stepOf(recordOf(2, 'b'), recordOf(3, 'a')), stepOf(recordOf(4, 'b'), recordOf(5, 'a'))];
    expect(linesOf(...steps)).toEqual([3, 5, 2, 4]);
  });

  it.each([
    ['ASCII', 'ada'],
    ['text of other alphabets', 'Zoë 漢字 🎓'],
  ])('gives each row back as it was packed: %s', (_, name) => {
    const rows: PreparedRow[] = [
      { kind: 'blank', line: 2 },
      recordOf(3, 'a', JSON.stringify({ name })),
      recordOf(4, 'c', '{}'),
      { kind: 'invalid', line: 5, issues: [] },
      recordOf(6, 'b'),
    ];
    const given = [...rowsByKey([stepOf(...rows)])];
    expect(given.toSorted((a, b) => a.line - b.line)).toEqual(rows);
  });

  it('gives nothing of steps without rows', () => {
    expect(linesOf()).toEqual([]);
    expect(linesOf(stepOf())).toEqual([]);
  });
});
