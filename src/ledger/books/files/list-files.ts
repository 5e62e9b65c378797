import { type RawBuilder, sql } from 'kysely';
import type { ListedFile } from '../../../documents/files.js';
import type { Closure } from '../../../documents/report.js';
import type { DropState } from '../../../domain/drop.js';
import type { FileStanding } from '../../../domain/files/file-standing.js';
import { isOpenRefusal } from '../../drops/refused/refused-drops.js';
import { contains, isAmong } from '../../store/dialect.js';
import { all, boundLimit, count, type Ledger, query, reading } from '../../store/query.js';
import { countedDrops } from '../submission-counts.js';

/** A page of the list of files. A null doesn't filter. */
export interface FileSelection {
  readonly source: string | null;
  /** A part of its name, ignoring case. */
  readonly name: string | null;
  readonly standing: FileStanding | null;
  /** The drop after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly most: number;
}

/**
 * Lists imported files, the latest first, a page at a time, with the counts of their rows, and counts all files that match. The time
 * doesn't depend on the number of rows. `next`: the drop after which the next page starts; null: this is the last page.
 */
export async function listFiles(ledger: Ledger, selection: FileSelection) {
  const { after, most } = selection;
  return reading(ledger, async (ledger) => {
    const matching = query.selectFrom('drop_file as d').where(isIn(selection));
    const page = matching
      .where(isAfter(after))
      .select('d.drop_id as dropId')
      .orderBy('d.taken_at', 'desc')
      .orderBy('d.drop_id', 'desc');
    const matches = await all(ledger, page.limit(boundLimit(most + 1)));
    const ids = matches.slice(0, most).map(({ dropId }) => dropId);
    return {
      files: await filesNumbered(ledger, ids),
      total: await count(ledger, matching),
      next: matches.length > most ? (ids.at(-1) ?? null) : null,
    };
  });
}

/** Condition on `drop as d`: it comes after this drop, in the order of the list. */
function isAfter(dropId: number | null): RawBuilder<boolean> {
  if (dropId === null) return sql<boolean>`true`;
  return sql<boolean>`(d.taken_at, d.drop_id) < (select a.taken_at, a.drop_id from drop_file a where a.drop_id = ${dropId})`;
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
export async function filesNumbered(ledger: Ledger, ids: readonly number[]): Promise<ListedFile[]> {
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
