import { sql } from 'kysely';
import { fieldOf } from '../store/dialect.js';
import { first, type Ledger, preparedQuery, query } from '../store/query.js';

/** The settings of a source that its keys depend on, by name; '': the setting has no value, and rows that need it get no key. */
export type KeySettings = Readonly<Record<string, string>>;

/** Reads the settings that the keys of a source's rows depend on, and the number of its rows that have keys. */
export async function keyFacts(ledger: Ledger, source: string) {
  const pinned = await ledger.db
    .selectFrom('pinned_setting')
    .select(['name', 'value'])
    .where('source', '=', source)
    .execute();
  const { rows } = await ledger.db
    .selectFrom('drop_file')
    .select(sql<number>`coalesce(sum(staged + amended), 0)`.as('rows'))
    .where('source', '=', source)
    .where('state', '=', sql.lit('published'))
    .executeTakeFirstOrThrow();
  const settings: KeySettings = Object.fromEntries(pinned.map(({ name, value }) => [name, value]));
  return { settings, rows };
}

/** The mapping of a source's last published drop of this operation, with its file and header; null: there is none. */
export async function lastMapping(ledger: Ledger, source: string, operation: string) {
  const last = await first(ledger, LAST({ source, operation }));
  if (!last || last.header === null || last.mapping === null) return null;
  return {
    file: last.file,
    header: JSON.parse(last.header) as string[],
    mapping: JSON.parse(last.mapping) as Record<string, string>,
  };
}

const LAST = preparedQuery(({ source, operation }: { readonly source: string; readonly operation: string }) =>
  query
    .selectFrom('drop_file')
    .select(['file_name as file', 'header', 'mapping'])
    .where('source', '=', source)
    .where('operation', '=', operation)
    .where('state', '=', sql.lit('published'))
    .orderBy('published_at', 'desc')
    .orderBy('drop_id', 'desc')
    .limit(sql.lit(1)),
);

/** All mappings of a source that were confirmed, each a text of the caller. */
export async function confirmedMappings(ledger: Ledger, source: string): Promise<ReadonlySet<string>> {
  const mapping = fieldOf('selection', 'mapping').$castTo<string>();
  const confirmed = await ledger.db
    .selectFrom('decision')
    .select(mapping.as('mapping'))
    .where('kind', '=', 'confirm')
    .where(fieldOf('selection', 'source'), '=', source)
    .where(mapping, 'is not', null)
    .execute();
  return new Set(confirmed.map((one) => one.mapping));
}
