import { type RawBuilder, sql } from 'kysely';
import { operationNamed } from '../../operations/registry.js';
import type { Ledger } from '../store/query.js';
import { fileNamed } from './drops.js';

/**
 * A drop with the record of how it was read: `mapping` from field to header, `settings` the digest of the settings.
 * `format`, `sheet`, `settings`, `rowsRead`, `refusal` and `publishedAt` are null where the drop has none.
 */
export type TracedDrop = Awaited<ReturnType<typeof dropsWhere>>[number];

/** The index of the column with a drop's learner or content; -1: there is none. */
export function columnOf(
  { operation, header, mapping }: Pick<TracedDrop, 'operation' | 'header' | 'mapping'>,
  which: 'learner' | 'content',
): number {
  const { fields } = operationNamed(operation);
  const field = which === 'content' ? 'content-id' : fields.find(({ kind }) => kind === 'learner')?.name;
  const mapped = mapping[field ?? ''];
  return mapped === undefined ? -1 : header.indexOf(mapped);
}

/** The drop with this number; undefined: there is none. */
export async function tracedDrop(ledger: Ledger, dropId: number): Promise<TracedDrop | undefined> {
  return (await dropsWhere(ledger, sql<boolean>`d.drop_id = ${dropId}`))[0];
}

/**
 * The drops with this number, or that arrived under this file name, oldest first.
 * @param sheet only drops of this sheet; default: all.
 */
export async function dropsNamed(ledger: Ledger, numberOrName: string, sheet?: string) {
  const drops = await dropsWhere(
    ledger,
    sql<boolean>`(${isNamed(numberOrName)} or d.drop_id in (
      select drop_id from arrival a
      where a.file_name = ${numberOrName} or (d.part <> '' and a.file_name = ${numberOrName} || '#' || d.part)))`,
  );
  return sheet === undefined ? drops : drops.filter((drop) => drop.sheet === sheet);
}

/** The same for a text that may have a sheet after a #; a file name may also contain a #. */
export async function dropsBehind(ledger: Ledger, named: string): Promise<TracedDrop[]> {
  const whole = await dropsNamed(ledger, named);
  const [, book, sheet] = /^(.+)#([^#]+)$/.exec(named) ?? [];
  return whole.length > 0 || book === undefined ? whole : await dropsNamed(ledger, book, sheet);
}

/** The drops that match a condition on `drop as d`, oldest first. */
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
        'taken_at as importedAt',
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

export type PublishedDrop = Awaited<ReturnType<typeof publishedDrops>>[number];

/**
 * Finds published drops by drop number, file name or SHA-256, oldest first.
 * @param named a text is a file's name, or a drop's number in digits.
 */
export async function publishedDrops(ledger: Ledger, named: number | string | { readonly sha256: string }) {
  return dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${isNamed(named)}`);
}

/** Condition on `drop as d`: it has this number, file name or SHA-256. */
function isNamed(named: number | string | { readonly sha256: string }): RawBuilder<boolean> {
  if (typeof named === 'number') return sql<boolean>`d.drop_id = ${named}`;
  if (typeof named === 'object') return sql<boolean>`d.sha256 = ${named.sha256}`;
  const asNumber = /^\d{1,9}$/.test(named) ? Number(named) : -1;
  return sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(named)})`;
}
