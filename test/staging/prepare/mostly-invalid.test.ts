import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { collected } from '../../../src/domain/process/series.js';
import { readBooks } from '../../../src/ledger/books/read-books.js';
import { keptRows } from '../../../src/ledger/drops/rows/kept-rows.js';
import { ledgerTotals } from '../../../src/ledger/store/ledger-facts.js';
import type { PreparedRow } from '../../../src/ledger/submissions/staging/read-rows.js';
import { invalidWatch, judgedRows } from '../../../src/staging/prepare/mostly-invalid.js';
import { csvOf, exportRows } from '../../support/exports.js';
import { testLedger } from '../../support/staged-ledger.js';
import { checkContent, dispositionsOf, sourceOf, stageContent, stageFirstBatch } from '../staging-bench.js';

/** Rows without a learner. */
function unnamed(count: number) {
  return exportRows(count).map((row) => ({ ...row, email: '' }));
}

describe('a file nearly all of whose rows are invalid for the same cause', () => {
  it('is refused with cause, counts and remedy, and nothing of it stays in the ledger', async () => {
    const ledger = testLedger(systemClock());
    const result = await stageContent(ledger, csvOf([...unnamed(2_990), ...exportRows(10)]));
    expect(result).toMatchObject({ kind: 'refused' });
    const { files } = await readBooks(ledger, {});
    expect(files.map(({ refusal }) => refusal)).toEqual([
      expect.stringMatching(
        /^2990 of its 3000 rows are invalid for the same cause, value-missing in column "Email" \(a required field is empty\), the first on line 2; none of its rows was imported\. .*invalid: \{ most: 100 \}/,
      ),
    ]);
    expect(await ledgerTotals(ledger)).toMatchObject({ rows: 0, submissions: 0 });
    expect(await collected(keptRows(ledger, 1))).toEqual([]);
  });

  it('comes in with an issue for each row where its source takes any number of them', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf([...unnamed(1_990), ...exportRows(10)]);
    expect(await stageContent(ledger, content)).toMatchObject({ kind: 'refused' });
    const source = sourceOf({ invalid: { most: 100 } });
    const result = await stageContent(ledger, content, { source });
    expect(dispositionsOf(result)).toMatchObject({ staged: 10, invalid: 1_990 });
  });

  it('is imported as usual where it is small', async () => {
    const result = await stageContent(testLedger(systemClock()), csvOf(unnamed(999)));
    expect(dispositionsOf(result)).toMatchObject({ invalid: 999 });
  });

  it('comes in where only its first rows are, as in a table sorted by a column that some rows lack', async () => {
    const content = csvOf([...unnamed(3_000), ...exportRows(3_000)]);
    const result = await stageContent(testLedger(systemClock()), content);
    expect(dispositionsOf(result)).toMatchObject({ invalid: 3_000, staged: 3_000 });
  });

  it('comes in where rows are invalid for many causes', async () => {
    const rows = [
      ...unnamed(700),
      ...exportRows(700).map((row) => ({ ...row, at: 'soon' })),
      ...exportRows(700).map((row) => ({ ...row, score: 1_000 })),
    ];
    const result = await stageContent(testLedger(systemClock()), csvOf(rows));
    expect(dispositionsOf(result)).toMatchObject({ invalid: 2_100 });
  });

  it('comes in where the others are of another table in the file', async () => {
    const header = { email: 'Work email', course: 'Email', at: 'Course ID', score: null, status: 'Result' };
    const content = csvOf([...exportRows(5), header, ...exportRows(2_000)]);
    const result = await stageContent(testLedger(systemClock()), content);
    expect(dispositionsOf(result)).toMatchObject({ staged: 5, invalid: 2_001 });
  });

  it('is refused after a stop in the middle as it is without one', async () => {
    const content = csvOf([...exportRows(2_500), ...unnamed(4_000)]);
    const source = sourceOf({ invalid: { most: 60 } });
    const whole = await stageContent(testLedger(systemClock()), content, { source });
    const ledger = testLedger(systemClock());
    expect(await stageFirstBatch(ledger, content)).toMatchObject({ kind: 'interrupted' });
    expect(await stageContent(ledger, content, { source })).toEqual(whole);
    expect(whole).toMatchObject({ kind: 'refused' });
  });

  it('is reported by a dry run in the same words', async () => {
    const content = csvOf(unnamed(1_500));
    const ledger = testLedger(systemClock());
    const { refusal } = await checkContent(ledger, content);
    expect(refusal?.code).toBe('mostly-invalid');
    const staged = await stageContent(ledger, content);
    expect(staged).toMatchObject({ sentence: expect.stringContaining(refusal?.message ?? 'none') });
  });
});

describe('the watch over invalid rows', () => {
  const invalid = (line: number, ...codes: readonly ('email-invalid' | 'value-missing')[]): PreparedRow => ({
    kind: 'invalid',
    line,
    issues: codes.map((code) => ({ code, column: 'Email', value: 'x', message: 'x', remedy: 'x' })),
  });

  it('counts a row once for each of its causes, and leaves out what is no data', () => {
    const rows: PreparedRow[] = [
      { kind: 'blank', line: 1 },
      { kind: 'non-data', line: 2, issues: [] },
      invalid(3, 'email-invalid', 'email-invalid'),
      invalid(4, 'value-missing', 'email-invalid'),
      { kind: 'skipped', line: 5, issues: [] },
    ];
    expect(judgedRows(rows)).toEqual({
      data: 3,
      causes: [
        { code: 'email-invalid', column: 'Email', rows: 2, line: 3 },
        { code: 'value-missing', column: 'Email', rows: 1, line: 4 },
      ],
    });
  });

  it('refuses from the share on that the source says, and never at 100 percent', () => {
    const verdict = (most: number, bad: number) => {
      const watch = invalidWatch(sourceOf({ invalid: { most, from: 10 } }));
      watch.add({ data: 100, causes: [{ code: 'email-invalid', column: 'Email', rows: bad, line: 2 }] });
      return watch.refusal() !== null;
    };
    expect([verdict(50, 50), verdict(50, 51), verdict(100, 100), verdict(99, 100)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});
