import { isoFromMs } from '../../domain/clock.js';
import { compareTotals, dataRows, type ExpectedRows } from '../../domain/files/control-totals.js';
import type { Disposition } from '../../domain/row.js';
import { holdsLease, type Lease } from '../leases/leases.js';
import { first, type Ledger, query, writing } from '../store/query.js';
import { dropDispositions, updateDrop } from './drops.js';

/** How many rows of data a drop should have. */
export interface Control {
  readonly expected: ExpectedRows;
  /** False: the drop counts all the same. */
  readonly isBinding: boolean;
}

/** The result of publishing a drop. */
export type Publication =
  | ({ readonly kind: 'published' } & PublishedRows)
  /** Its control totals differ; `read` is the number of rows of data. */
  | { readonly kind: 'different'; readonly read: number }
  /** The stage lease has gone to another owner, and nothing has changed. */
  | { readonly kind: 'overtaken' };

/**
 * Makes the staged rows of a drop count, all at once, and records how its control totals compared. A drop with binding totals
 * that differ stays half staged, for the caller to refuse.
 * @param read what the reader counted over the whole drop; `hiddenRows`: rows of data that the sheet hides.
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
