import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { checkContent } from '../staging/staging-bench.js';
import { type Columns, csvOf, DEFAULT_COLUMNS, type ExportRow, workbookOf } from '../support/exports.js';
import { randomExport } from '../support/random-exports.js';
import { samples } from '../support/samples.js';
import { testLedger } from '../support/staged-ledger.js';

/** Other headers for the same fields. */
const OTHER_HEADERS = {
  email: 'Work Email Address',
  course: 'Course Code',
  at: 'Completion Date',
  score: 'Grade',
  status: 'Completion Status',
} as const satisfies Columns;

/** Columns in any order, each with one of two headers. */
const anyColumns: fc.Arbitrary<Columns> = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(DEFAULT_COLUMNS) as (keyof ExportRow)[], { minLength: 5 }),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  )
  .map(([fields, others]) =>
    Object.fromEntries(
      fields.map((field, index) => [field, others[index] ? OTHER_HEADERS[field] : DEFAULT_COLUMNS[field]]),
    ),
  );

const writers = [
  (rows: readonly ExportRow[], columns: Columns) => csvOf(rows, columns),
  (rows: readonly ExportRow[], columns: Columns) => csvOf(rows, columns, '\t'),
  (rows: readonly ExportRow[], columns: Columns) =>
    Buffer.from(`\ufeff${csvOf(rows, columns, '|')}`, 'utf16le'),
  workbookOf,
] as const;

it('the same record has the same key, whatever the format, encoding, order of columns or headers', async () => {
  const ledger = testLedger(systemClock());
  await fc.assert(
    fc.asyncProperty(randomExport, anyColumns, fc.constantFrom(...writers), async (rows, columns, write) => {
      const usual = await checkContent(ledger, csvOf(rows));
      const other = await checkContent(ledger, write(rows, columns));
      expect(other.records).toEqual(usual.records);
      expect(other.dispositions).toEqual(usual.dispositions);
    }),
    { numRuns: samples(60) },
  );
});
