import { type RawBuilder, sql } from 'kysely';
import type { Ledger } from '../store/query.js';
import { fileNamed } from './drops.js';

/**
 * A drop with all that is known of how it was read: `mapping` from field to header, `settings` the digest of what decided it. `format`,
 * `sheet`, `settings`, `rowsRead`, `refusal` and `publishedAt` are null where the drop has none.
 */
export type TracedDrop = Awaited<ReturnType<typeof dropsWhere>>[number];

/** The drop of this number; undefined when there is none. */
export async function tracedDrop(ledger: Ledger, dropId: number): Promise<TracedDrop | undefined> {
  return (await dropsWhere(ledger, sql<boolean>`d.drop_id = ${dropId}`))[0];
}

/**
 * Drops with this number, or that have come in under this file name, oldest first.
 * @param sheet only drops of this sheet; left out: all.
 */
export async function dropsNamed(
  ledger: Ledger,
  numberOrName: string,
  sheet?: string,
): Promise<TracedDrop[]> {
  const asNumber = /^\d{1,9}$/.test(numberOrName) ? Number(numberOrName) : -1;
  const drops = await dropsWhere(
    ledger,
    sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(numberOrName)} or d.drop_id in (
      select drop_id from arrival a
      where a.file_name = ${numberOrName} or (d.part <> '' and a.file_name = ${numberOrName} || '#' || d.part)))`,
  );
  return sheet === undefined ? drops : drops.filter((drop) => drop.sheet === sheet);
}

/** The drops that a condition on `drop as d` holds for, oldest first. */
export async function dropsWhere(ledger: Ledger, condition: RawBuilder<boolean>) {
  return (
    await ledger.db
      .selectFrom('drop_file as d')
      .select([
        'drop_id as dropId',
        'source',
        'file_name as file',
        'sha256',
        'format',
        'operation',
        'environment',
        'state',
        'sheet',
        'header_line as headerLine',
        'header',
        'mapping',
        'settings',
        'rows_read as rowsRead',
        'refusal',
        'run_id as runId',
        'taken_at as takenAt',
        'published_at as publishedAt',
      ])
      .where(condition)
      .orderBy('drop_id')
      .execute()
  ).map(({ header, mapping, headerLine, ...drop }) => ({
    ...drop,
    headerLine: headerLine ?? 0,
    header: header === null ? [] : (JSON.parse(header) as string[]),
    mapping: mapping === null ? {} : (JSON.parse(mapping) as Record<string, string>),
  }));
}
