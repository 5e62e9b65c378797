import type { Ledger } from './query.js';

/** What people know the ledger by: its path, or that it is a database. */
export function ledgerName({ file }: Pick<Ledger, 'file'>): string {
  return file?.path ?? 'the database of the ledger';
}
