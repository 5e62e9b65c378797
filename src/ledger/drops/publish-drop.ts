import { isoFromMs } from '../../domain/clock.js';
import { type Disposition, dataRows } from '../../domain/row.js';
import { holdsLease, type Lease } from '../leases/leases.js';
import { type Ledger, writing } from '../store/query.js';
import { dropCounts, updateDrop } from './drops.js';

/** How many data rows a drop should have; without `max` there is no limit. */
export interface ExpectedRows {
  readonly min: number;
  readonly max?: number | undefined;
}

export type Publication =
  | ({ readonly kind: 'published' } & PublishedRows)
  /** It has fewer or more data rows than expected; `read` is their number. */
  | { readonly kind: 'different'; readonly expected: ExpectedRows; readonly read: number }
  /** Another owner has the stage lease; nothing has changed. */
  | { readonly kind: 'overtaken' };

/**
 * Publishes a drop: makes its staged rows count, all at once. A drop with fewer or more data rows than expected stays
 * half staged, for the caller to refuse. A caller with a transaction has checked the lease in it.
 * @param read the reader's counts for the whole drop; `hiddenRows`: data rows that are hidden in the sheet.
 * @param expected absent: any number of data rows.
 */
export function publishDrop(
  ledger: Ledger,
  lease: Lease,
  dropId: number,
  { rowsRead, hiddenRows = 0 }: { readonly rowsRead: number; readonly hiddenRows?: number },
  expected?: ExpectedRows,
): Promise<Publication> {
  const { inTransaction } = ledger;
  return writing(ledger, async (ledger): Promise<Publication> => {
    if (!inTransaction && !(await holdsLease(ledger, lease))) return { kind: 'overtaken' };
    const { state, dispositions } = await dropCounts(ledger, dropId);
    if (state === 'published') return { kind: 'published', dropId, dispositions };
    if (state !== 'staging') return { kind: 'overtaken' };
    const read = dataRows(dispositions);
    if (expected !== undefined && (read < expected.min || read > (expected.max ?? read))) {
      return { kind: 'different', expected, read };
    }
    await updateDrop(ledger, dropId, {
      state: 'published',
      rows_read: rowsRead,
      hidden_rows: hiddenRows,
      published_at: isoFromMs(ledger.clock.nowMs()),
    });
    return { kind: 'published', dropId, dispositions };
  });
}

export interface PublishedRows {
  readonly dropId: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
}
