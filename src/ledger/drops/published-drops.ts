import { type RawBuilder, sql } from 'kysely';
import type { DropFormat, DropIdentity } from '../../domain/drop.js';
import { inTurn } from '../../domain/process/in-turn.js';
import { all, type Ledger, query } from '../store/query.js';
import { fileNamed } from './drops.js';
import { type DropTable, tableOf } from './rows/drop-table.js';

/** A published drop as it was read, for reading its rows again. */
export interface PublishedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly identity: DropIdentity;
  readonly format: DropFormat | null;
  /** The sheet that was read; null for a text file. */
  readonly sheet: string | null;
  readonly headerLine: number;
  readonly header: readonly string[];
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
  const published = query
    .selectFrom('drop_file as d')
    .select([
      'drop_id as dropId',
      'source',
      'file_name as file',
      'sha256',
      'bytes',
      'format',
      'sheet',
      'header_line as headerLine',
      'header',
    ])
    .where('state', '=', sql.lit('published'));
  const drops = await all(ledger, published.where(isNamed(named)).orderBy('drop_id'));
  return inTurn(drops, async ({ sha256, bytes, header, headerLine, ...read }) => {
    const drop = { ...read, headerLine: headerLine ?? 0 };
    return {
      ...drop,
      identity: { sha256, bytes },
      header: JSON.parse(header ?? '[]') as string[],
      table: await tableOf(ledger, drop),
    };
  });
}

/** Condition on `drop as d`. */
function isNamed(named: number | string | { readonly sha256: string }): RawBuilder<boolean> {
  if (typeof named === 'number') return sql<boolean>`d.drop_id = ${named}`;
  if (typeof named === 'object') return sql<boolean>`d.sha256 = ${named.sha256}`;
  const asNumber = /^\d+$/.test(named) ? Number(named) : -1;
  return sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(named)})`;
}
