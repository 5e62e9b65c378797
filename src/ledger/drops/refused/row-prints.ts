import type { Refusal } from '../../../domain/issue.js';
import { type Cell, cellText, isBlankCell } from '../../../domain/row.js';
import { change, first, type Ledger, query } from '../../store/query.js';
import { saltedHash } from '../../submissions/record/keys.js';

/** The rows of a set-aside file, without their content. */
export interface RowPrints {
  /** Its first rows that may be titles or a header. */
  readonly leading: number;
  /** 8 bytes a row; null where the file can't be read. */
  readonly prints: Buffer | null;
}

/** The rows are unknown: then only the same bytes, or a person, close the file. */
export const UNREAD: RowPrints = { leading: 0, prints: null };

/**
 * Keeps why a file is set aside, and the hashes of its rows while the file is open. Call it in the transaction that sets the file aside.
 * @param rows null: the rows are the same as when the file was set aside before.
 */
export async function keepPrints(
  ledger: Ledger,
  dropId: number,
  code: Refusal['code'],
  rows: RowPrints | null,
): Promise<void> {
  const drop = await first(
    ledger,
    query.selectFrom('drop_file').select('taken_at as takenAt').where('drop_id', '=', dropId),
  );
  if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
  const open = { taken_at: drop.takenAt, code, closed_at: null, closed_by: null, decision_id: null };
  const { leading, prints } = rows ?? UNREAD;
  const kept = { leading_rows: leading, prints };
  await change(
    ledger,
    query
      .insertInto('refused_drop')
      .values({ drop_id: dropId, ...kept, ...open })
      .onConflict((conflict) =>
        conflict.column('drop_id').doUpdateSet({ ...open, ...(rows === null ? {} : kept) }),
      ),
  );
}

/** Bytes of a row's print. */
export const PRINT_BYTES = 8;

/** The hash of a row's cells, empty ones left out, each as a person reads it. */
export function printer(salt: string): (cells: readonly Cell[]) => string {
  const salted = saltedHash(salt);
  return (cells) => {
    const texts = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cellText(cell).trim());
    return salted(`["row/1",${JSON.stringify(texts)}]`, 2 * PRINT_BYTES);
  };
}
