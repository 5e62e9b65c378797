import type { Row } from '../../src/domain/row.js';
import type { StagingPlan } from '../../src/ledger/drops/begin-drop.js';
import type { Lease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { PreparedRow, StagingTarget } from '../../src/ledger/submissions/staging/read-rows.js';
import { stageBatch } from '../../src/ledger/submissions/staging/staging.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { withCells } from '../support/with-cells.js';

export const PLAN: StagingPlan = {
  format: 'csv',
  sheet: null,
  headerLine: 1,
  header: ['Email'],
  mapping: { 'user-id': 'Email' },
  settings: 'digest-1',
  sheetsLeft: [],
  zones: [],
};

/** A batch of a drop's rows, and their cells as they were read. */
export interface Batch {
  readonly rows?: readonly PreparedRow[];
  readonly cells: readonly Row[];
}

/** Stages a batch of completions for `main`, unless the target says otherwise. @returns null: the lease is lost. */
export async function stageRows(
  ledger: Ledger,
  lease: Lease,
  target: Pick<StagingTarget, 'dropId'> & Partial<StagingTarget>,
  { rows = [], cells }: Batch,
  turn?: Promise<boolean>,
): ReturnType<typeof stageBatch> {
  const whole = { operation: submitCompletion, environment: 'main', sendAmendments: false, ...target };
  const rowByLine = new Map(rows.map((row) => [row.line, row]));
  // Rows of which a test names the cells alone have no issues.
  const others = cells.filter(({ line }) => !rowByLine.has(line));
  const read: PreparedRow[] = [
    ...rows,
    ...others.map(({ line }): PreparedRow => ({ kind: 'non-data', line, issues: [] })),
  ].sort((a, b) => a.line - b.line);
  const cellsAt = new Map(cells.map(({ line, cells }) => [line, cells]));
  const cellsOf = ({ line }: PreparedRow) => cellsAt.get(line) ?? [];
  const strayAt = new Map(cells.map(({ line, strayQuotes }) => [line, strayQuotes]));
  const kept = withCells(read, cellsOf).map((staged) => {
    const strayQuotes = strayAt.get(staged.row.line);
    return strayQuotes === undefined ? staged : { ...staged, strayQuotes: JSON.stringify(strayQuotes) };
  });
  return stageBatch(ledger, lease, whole, kept, turn);
}
