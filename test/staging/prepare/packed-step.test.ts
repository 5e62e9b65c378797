import { describe, expect, it } from 'vitest';
import { packRows } from '../../../src/ledger/drops/rows/pack-rows.js';
import { summedText } from '../../../src/ledger/submissions/record/checksum.js';
import type { PreparedRow } from '../../../src/ledger/submissions/staged-rows.js';
import { type PackedStep, packStep, rowsOf } from '../../../src/staging/prepare/packed-step.js';

const recordOf = (line: number, values = '["ada"]', shape = '{"user-id":null}'): PreparedRow => {
  const keys = { key: String(line).padEnd(40, '0'), content: '2'.repeat(16) };
  const text = summedText(keys, { values });
  return { kind: 'record', line, keys, record: { shape, values }, text, sum: -line };
};

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
      recordOf(3, JSON.stringify([name])),
      recordOf(4, '[]', '{"content-id":null}'),
      { kind: 'invalid', line: 5, issues: [] },
      recordOf(6),
      {
        ...recordOf(7),
        further: [],
        formers: [{ key: '9'.repeat(40), content: '8'.repeat(16) }],
      } as PreparedRow,
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
