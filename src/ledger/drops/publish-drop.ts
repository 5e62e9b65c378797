import { isoFromMs } from '../../domain/clock.js';
import { compareTotals, dataRows, type ExpectedRows } from '../../domain/files/control-totals.js';
import type { Disposition } from '../../domain/row.js';
import { holdsLease, type Lease } from '../leases/leases.js';
import { first, type Ledger, query, writing } from '../store/query.js';
import { dropDispositions, updateDrop } from './drops.js';

/** How many data rows a drop should have. */
export interface Control {
  readonly expected: ExpectedRows;
  /** True: a drop with another number isn't published. */
  readonly isBinding: boolean;
}

/** The result of publishing a drop. */
export type Publication =
  | ({ readonly kind: 'published' } & PublishedRows)
  /** Its control totals differ; `read` is the number of data rows. */
  | { readonly kind: 'different'; readonly read: number }
  /** Another owner has the stage lease; nothing has changed. */
  | { readonly kind: 'overtaken' };

/**
 * Publishes a drop: makes its staged rows count, all at once, and records the comparison of its control totals. A
 * drop whose binding totals differ stays half staged, for the caller to refuse.
 * @param read the reader's counts for the whole drop; `hiddenRows`: data rows that are hidden in the sheet.
 * @param control null: no number of rows is declared.
 */
export function publishDrop(
  ledger: Ledger,
  lease: Lease,
  dropId: number,
  { rowsRead, hiddenRows = 0 }: { readonly rowsRead: number; readonly hiddenRows?: number },
  control: Control | null = null,
): Promise<Publication> {
  return writing(ledger, async (ledger): Promise<Publication> => {
    if (!(await holdsLease(ledger, lease))) return { kind: 'overtaken' };
    const drop = query.selectFrom('drop_file').select('state').where('drop_id', '=', dropId);
    const state = (await first(ledger, drop))?.state;
    const dispositions = await dropDispositions(ledger, dropId);
    if (state === 'published') return { kind: 'published', dropId, dispositions };
    if (state !== 'staging') return { kind: 'overtaken' };
    if (control !== null) {
      const { state: found, min, max, read } = compareTotals(control.expected, dataRows(dispositions));
      await updateDrop(ledger, dropId, { control: found, expected_min: min, expected_max: max });
      if (control.isBinding && found !== 'met') return { kind: 'different', read };
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
