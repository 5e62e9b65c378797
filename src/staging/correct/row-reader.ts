import type { SourceConfig } from '../../config/schema.js';
import type { Refused } from '../../domain/issue.js';
import type { Row } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import type { Operation } from '../../operations/operation.js';
import { operationNamed } from '../../operations/registry.js';
import { type KeptReading, readAgain } from '../../reading/read-again.js';
import type { Profiled } from '../../reading/table.js';
import { preparationNow } from '../prepare/preparation-now.js';
import { independentPreparer } from '../prepare/prepare-rows.js';

/** Reads single rows of a published drop from corrected cells. */
export interface RowReader {
  readonly kind: 'reader';
  readonly drop: PublishedDrop;
  readonly source: SourceConfig;
  readonly operation: Operation;
  readonly reading: KeptReading;
  /** Throws UndecidedRow under a reading from the first rows only. */
  prepare(row: Row): PreparedRow;
}

/**
 * Returns a reader that reads each row of a drop separately, under the current settings and what the drop's own
 * columns prove.
 */
export async function rowReader(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  profiled: Profiled = 'whole',
): Promise<RowReader | Refused> {
  const reading = await readAgain(ledger, { ...drop, countsCells: false }, source, profiled);
  if (reading.kind === 'refused') return reading;
  const prepare = independentPreparer(await preparationNow(ledger, source));
  const operation = operationNamed(source.operation);
  return { kind: 'reader', drop, source, operation, reading, prepare: (row) => prepare(reading, row) };
}
