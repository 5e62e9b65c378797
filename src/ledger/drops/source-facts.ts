import { sql } from 'kysely';
import { fieldOf } from '../store/dialect.js';
import { type Ledger, reading } from '../store/query.js';

/**
 * The settings of a source that its keys depend on, by name; '': the setting has no value, and rows that need it get
 * no key.
 */
export type KeySettings = Readonly<Record<string, string>>;

/**
 * Reads how a source's files were read up to now: the settings that its keys depend on, the mapping of its last
 * published drop, and the other mappings that were confirmed. The last mapping ignores drops of another operation.
 */
export function sourceFacts(
  ledger: Ledger,
  { name: source, operation }: { readonly name: string; readonly operation: string },
) {
  return reading(ledger, async (ledger) => ({
    /** The pinned settings. */
    settings: await pinnedSettings(ledger, source),
    /** The number of the source's submissions, which might become new under other settings. */
    rows: await keyedRows(ledger, source),
    /** null: the source has no published drop. */
    last: await lastMapping(ledger, source, operation),
    /** Each is a text of the caller. */
    confirmed: await confirmedMappings(ledger, source),
  }));
}

async function pinnedSettings(ledger: Ledger, source: string): Promise<KeySettings> {
  const pinned = await ledger.db
    .selectFrom('pinned_setting')
    .select(['name', 'value'])
    .where('source', '=', source)
    .execute();
  return Object.fromEntries(pinned.map(({ name, value }) => [name, value]));
}

async function keyedRows(ledger: Ledger, source: string): Promise<number> {
  const { rows } = await ledger.db
    .selectFrom('drop_file')
    .select(sql<number>`coalesce(sum(staged + amended), 0)`.as('rows'))
    .where('source', '=', source)
    .where('state', '=', sql.lit('published'))
    .executeTakeFirstOrThrow();
  return rows;
}

async function lastMapping(ledger: Ledger, source: string, operation: string) {
  const last = await ledger.db
    .selectFrom('drop_file')
    .select(['file_name as file', 'header', 'mapping'])
    .where('source', '=', source)
    .where('operation', '=', operation)
    .where('state', '=', sql.lit('published'))
    .orderBy('published_at', 'desc')
    .orderBy('drop_id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (!last || last.header === null || last.mapping === null) return null;
  return {
    file: last.file,
    header: JSON.parse(last.header) as string[],
    mapping: JSON.parse(last.mapping) as Record<string, string>,
  };
}

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
