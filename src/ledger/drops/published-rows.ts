import type { Disposition } from '../../domain/row.js';
import { dropDispositions } from '../books/books.js';
import type { Ledger } from '../store/query.js';
import { isRedrop } from './again/redrops.js';

/** What a published drop's rows are. */
export interface PublishedRows {
  readonly dropId: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** True where rows of it stand for rows of other drops: those make room for what they became. */
  readonly isCorrection: boolean;
}

/** What the rows of a published drop are. */
export async function publishedRows(ledger: Ledger, dropId: number): Promise<PublishedRows> {
  const dispositions = dropDispositions(ledger, dropId);
  return { dropId, dispositions, isCorrection: isRedrop(ledger, dropId) };
}
