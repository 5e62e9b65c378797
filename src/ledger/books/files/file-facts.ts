import { sql } from 'kysely';
import { uploadsOf } from '../../access/audit-log.js';
import { all, type Ledger, reading } from '../../store/query.js';
import { DESCRIPTION, describedDrop } from './drop-list.js';
import { filesNumbered } from './list-files.js';

/** The facts about an imported file, without its rows. */
export type FileFacts = NonNullable<Awaited<ReturnType<typeof fileFacts>>>;

/**
 * Reads the facts about an imported file, without its rows; null: there is no drop with this number. `arrivalCount`:
 * how often its bytes arrived; `uploads`: who uploaded them, the latest first; none: they came by another way.
 */
export async function fileFacts(ledger: Ledger, dropId: number) {
  return reading(ledger, async (ledger) => {
    const [listed] = await filesNumbered(ledger, [dropId]);
    if (listed === undefined) return null;
    const { mapping, ...drop } = await ledger.db
      .selectFrom('drop_file as d')
      .select(['d.sha256', 'd.format', 'd.sheet', 'd.header_line as headerLine', 'd.mapping'])
      .select(['d.published_at as publishedAt', ...DESCRIPTION])
      .select(sql<number>`(select count(*) from arrival a where a.drop_id = d.drop_id)`.as('arrivalCount'))
      .where('d.drop_id', '=', dropId)
      .executeTakeFirstOrThrow();
    return {
      ...listed,
      ...describedDrop(drop),
      mapping: JSON.parse(mapping ?? '{}') as Record<string, unknown>,
      uploads: await uploadsOf(ledger, { source: listed.source, sha256: drop.sha256 }),
      /** Other drops of the same file: its other sheets. */
      parts: await all(ledger, partsOf(dropId)),
    };
  });
}

const partsOf = (dropId: number) => sql<{ dropId: number; file: string; rows: number | null }>`
  select o.drop_id as "dropId", o.file_name as file, o.rows_read as rows
  from drop_file d join drop_file o on o.source = d.source and o.sha256 = d.sha256 and o.drop_id <> d.drop_id
  where d.drop_id = ${dropId} order by o.drop_id`;
