import { type RawBuilder, sql } from 'kysely';
import type { ListedFile } from '../../../documents/files.js';
import type { Closure } from '../../../documents/report.js';
import type { DropState } from '../../../domain/drop.js';
import type { FileStanding } from '../../../domain/files/file-standing.js';
import { uploadsOf } from '../../access/audit-log.js';
import { isOpenRefusal } from '../../drops/refused/refused-drops.js';
import { contains, isAmong } from '../../store/dialect.js';
import { all, boundLimit, count, type Ledger, query, reading } from '../../store/query.js';
import { countedDrops } from '../submission-counts.js';
import { DESCRIPTION, describedDrop } from './drop-list.js';

/** A page of the list of files. A null doesn't filter. */
export interface FileSelection {
  readonly source: string | null;
  /** A part of its name, ignoring case. */
  readonly name: string | null;
  readonly standing: FileStanding | null;
  /** The drop after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/**
 * Lists imported files, the latest first, a page at a time, with the counts of their rows, and counts all files that match. The
 * time doesn't depend on the number of rows. `next`: the drop after which the next page starts; null: this is the last page.
 */
export async function listFiles(ledger: Ledger, selection: FileSelection) {
  const { after, limit } = selection;
  return reading(ledger, async (ledger) => {
    const matching = query.selectFrom('drop_file as d').where(isIn(selection));
    const isAfter = sql<boolean>`(d.taken_at, d.drop_id) <
      (select a.taken_at, a.drop_id from drop_file a where a.drop_id = ${after})`;
    const page = (after === null ? matching : matching.where(isAfter))
      .select('d.drop_id as dropId')
      .orderBy('d.taken_at', 'desc')
      .orderBy('d.drop_id', 'desc');
    const matches = await all(ledger, page.limit(boundLimit(limit + 1)));
    const ids = matches.slice(0, limit).map(({ dropId }) => dropId);
    return {
      files: await filesNumbered(ledger, ids),
      total: await count(ledger, matching),
      next: matches.length > limit ? (ids.at(-1) ?? null) : null,
    };
  });
}

/** Condition on `drop as d`: it matches. Each part reads only the index of the list, except for refused files. */
function isIn({ source, name, standing }: FileSelection): RawBuilder<boolean> {
  const ofSource = source === null ? sql`true` : sql`d.source = ${source}`;
  const named = name === null ? sql`true` : contains(sql`lower(d.file_name)`, sql`lower(${name})`);
  return sql<boolean>`${ofSource} and ${named} and ${standing === null ? sql`true` : CONDITIONS[standing]}`;
}

const CONDITIONS: Readonly<Record<FileStanding, RawBuilder<boolean>>> = {
  imported: sql`d.state = 'published'`,
  refused: isOpenRefusal,
  closed: sql`d.state = 'refused' and not ${isOpenRefusal}`,
  importing: sql`d.state = 'staging'`,
};

/** The drops with these numbers, in the same order; a number without a drop is ignored. Call it in a transaction. */
async function filesNumbered(ledger: Ledger, ids: readonly number[]): Promise<ListedFile[]> {
  const drops = await ledger.db
    .selectFrom('drop_file as d')
    .select(['d.drop_id as drop', 'd.source', 'd.file_name as file', 'd.taken_at as importedAt', 'd.state'])
    .select(['d.rows_read as rows', 'd.bytes', 'd.run_id as run', 'd.operation'])
    .select(['d.environment', 'd.refusal'])
    .where(isAmong('d.drop_id', ids))
    .execute();
  const files = (await countedDrops(ledger, drops)).map(
    (drop): ListedFile => ({ ...drop, standing: standingOf(drop.state, drop.closure) }),
  );
  const byId = new Map(files.map((file) => [file.drop, file]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function standingOf(state: DropState, closure: Closure | null): FileStanding {
  if (state === 'published') return 'imported';
  if (state === 'staging') return 'importing';
  return closure === null ? 'refused' : 'closed';
}

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
