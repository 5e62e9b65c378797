import { isoFromMs } from '../../domain/clock.js';
import type { DropState } from '../../domain/drop.js';
import {
  type ControlFinding,
  compareTotals,
  dataRows,
  type ExpectedRows,
} from '../../domain/files/control-totals.js';
import type { Disposition } from '../../domain/row.js';
import { holdsLease, type Lease } from '../leases/leases.js';
import { first, type Ledger, query, writing } from '../store/query.js';
import { dropDispositions } from './drops.js';

/** What the reader counted over a whole drop. */
interface RowsRead {
  readonly rowsRead: number;
  /** Rows of data that the sheet hides. */
  readonly hiddenRows?: number;
}

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
 * @param control null: no number of rows is declared.
 */
export function publishDrop(
  ledger: Ledger,
  lease: Lease,
  dropId: number,
  read: RowsRead,
  control: Control | null = null,
): Promise<Publication> {
  return writing(ledger, async (ledger): Promise<Publication> => {
    if (!(await holdsLease(ledger, lease))) return { kind: 'overtaken' };
    const rows = await publishedRows(ledger, dropId);
    const state = await stateOf(ledger, dropId);
    if (state === 'published') return { kind: 'published', ...rows };
    if (state !== 'staging') return { kind: 'overtaken' };
    if (control !== null) {
      const finding = compareTotals(control.expected, dataRows(rows.dispositions));
      await noteControl(ledger, dropId, finding);
      if (control.isBinding && finding.state !== 'met') return { kind: 'different', read: finding.read };
    }
    await publish(ledger, dropId, read);
    return { kind: 'published', ...rows };
  });
}

async function noteControl(
  ledger: Ledger,
  dropId: number,
  { state, min, max }: ControlFinding,
): Promise<void> {
  await ledger.db
    .updateTable('drop_file')
    .set({ control: state, expected_min: min, expected_max: max })
    .where('drop_id', '=', dropId)
    .execute();
}

async function publish(
  ledger: Ledger,
  dropId: number,
  { rowsRead, hiddenRows = 0 }: RowsRead,
): Promise<void> {
  const published = {
    state: 'published' as const,
    rows_read: rowsRead,
    hidden_rows: hiddenRows,
    published_at: isoFromMs(ledger.clock.nowMs()),
  };
  await ledger.db.updateTable('drop_file').set(published).where('drop_id', '=', dropId).execute();
}

async function stateOf(ledger: Ledger, dropId: number): Promise<DropState | null> {
  const drop = query.selectFrom('drop_file').select('state').where('drop_id', '=', dropId);
  return (await first(ledger, drop))?.state ?? null;
}

export interface PublishedRows {
  readonly dropId: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
}

/** Counts the rows of a published drop. */
export async function publishedRows(ledger: Ledger, dropId: number): Promise<PublishedRows> {
  return { dropId, dispositions: await dropDispositions(ledger, dropId) };
}
