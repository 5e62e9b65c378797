import { type RawBuilder, sql } from 'kysely';
import { mapSeries } from '../../domain/process/series.js';
import type { Ledger } from '../store/query.js';
import { fileNamed } from './drops.js';
import { type DropTable, tableOf } from './rows/drop-table.js';
import { dropsWhere, type TracedDrop } from './traced-drops.js';

/** A published drop, for reading its rows again. */
export interface PublishedDrop extends TracedDrop {
  readonly table: DropTable;
}

/**
 * Finds the published drops of a number, of a file name or of a file's bytes, oldest first.
 * @param named a text is a file's name, or a drop's number in digits.
 */
export async function publishedDrops(
  ledger: Ledger,
  named: number | string | { readonly sha256: string },
): Promise<readonly PublishedDrop[]> {
  const drops = await dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${isNamed(named)}`);
  return mapSeries(drops, async (drop) => ({ ...drop, table: await tableOf(ledger, drop) }));
}

/** Condition on `drop as d`. */
function isNamed(named: number | string | { readonly sha256: string }): RawBuilder<boolean> {
  if (typeof named === 'number') return sql<boolean>`d.drop_id = ${named}`;
  if (typeof named === 'object') return sql<boolean>`d.sha256 = ${named.sha256}`;
  const asNumber = /^\d+$/.test(named) ? Number(named) : -1;
  return sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(named)})`;
}
