import { type RawBuilder, sql } from 'kysely';
import { mapSeries } from '../../domain/process/series.js';
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
export async function resolveDrops(ledger: Ledger, named: string): Promise<TracedDrop[]> {
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

/** The table that a drop belongs to. Profiles of whole columns are made from all rows of the table. */
export type DropTable = Awaited<ReturnType<typeof tableOf>>;

/**
 * The table that a published drop belongs to. Rows up to `headerLine` are the header and the rows above it; 0: the table has
 * several sheets, whose headers are excluded by `afterLine`. `sheets`, in order: the drop, or all sheets of its file where the
 * table continues from sheet to sheet and each sheet is a drop; rows up to `afterLine` are excluded.
 */
async function tableOf(
  ledger: Ledger,
  { dropId, headerLine }: { readonly dropId: number; readonly headerLine: number },
) {
  const sheets = await ledger.db
    .selectFrom('drop_file as d')
    .innerJoin('drop_file as o', (join) =>
      join.onRef('o.source', '=', 'd.source').onRef('o.sha256', '=', 'd.sha256'),
    )
    .select(['d.drop_id as dropId', sql<number>`coalesce(d.header_line, 0)`.as('afterLine')])
    .where('o.drop_id', '=', dropId)
    .where('d.state', '=', sql.lit('published'))
    // The first sheet may have been imported before or after the others.
    .orderBy(sql`d.part <> ''`)
    .orderBy('d.drop_id')
    .execute();
  const isOneOf = sheets.some((sheet) => sheet.dropId === dropId);
  if (!isOneOf || sheets.length === 1) return { headerLine, sheets: [{ dropId, afterLine: 0 }] };
  return { headerLine: 0, sheets };
}

export type PublishedDrop = Awaited<ReturnType<typeof publishedDrops>>[number];

/**
 * Finds published drops by drop number, file name or SHA-256, oldest first.
 * @param named a text is a file's name, or a drop's number in digits.
 */
export async function publishedDrops(ledger: Ledger, named: number | string | { readonly sha256: string }) {
  const drops = await dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${isNamed(named)}`);
  return mapSeries(drops, async (drop) => ({ ...drop, table: await tableOf(ledger, drop) }));
}

/** Condition on `drop as d`: it has this number, file name or SHA-256. */
function isNamed(named: number | string | { readonly sha256: string }): RawBuilder<boolean> {
  if (typeof named === 'number') return sql<boolean>`d.drop_id = ${named}`;
  if (typeof named === 'object') return sql<boolean>`d.sha256 = ${named.sha256}`;
  const asNumber = /^\d{1,9}$/.test(named) ? Number(named) : -1;
  return sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(named)})`;
}
