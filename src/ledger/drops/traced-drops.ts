import { type RawBuilder, sql } from 'kysely';
import type { DropFormat, DropState } from '../../domain/drop.js';
import type { Ledger } from '../store/query.js';
import { fileNamed } from './drops.js';

/** A drop with all that is known of how it was read. */
export interface TracedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  readonly format: DropFormat | null;
  readonly operation: string;
  readonly environment: string;
  readonly state: DropState;
  readonly sheet: string | null;
  readonly headerLine: number;
  readonly header: readonly string[];
  /** Field to header, as it was read. */
  readonly mapping: Readonly<Record<string, string>>;
  /** Digest of what decided how it was read. */
  readonly settings: string | null;
  readonly rowsRead: number | null;
  readonly refusal: string | null;
  readonly runId: number;
  readonly takenAt: string;
  readonly publishedAt: string | null;
}

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
export async function dropsWhere(ledger: Ledger, condition: RawBuilder<boolean>): Promise<TracedDrop[]> {
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
