import { sql } from 'kysely';
import type { DropState } from '../../../domain/drop.js';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { Disposition } from '../../../domain/row.js';
import type { State } from '../../../domain/submission.js';
import { type Closure, closureOf } from '../../drops/refused/refused-drops.js';
import { all, first, type Ledger, query, reading } from '../../store/query.js';
import { dropDispositions } from '../books.js';
import { statesOfDrops } from './drop-states.js';

/** One drop of a list of files. */
export interface ListedDropFile {
  readonly dropId: number;
  readonly source: string;
  readonly environment: string;
  readonly operation: string;
  readonly file: string;
  readonly bytes: number;
  readonly state: DropState;
  readonly takenAt: string;
  /** null unless published. */
  readonly publishedAt: string | null;
  readonly rowsRead: number | null;
  readonly runId: number;
  /** Why it was refused; null otherwise. May hold a value: personal. */
  readonly refusal: string | null;
  /** How it was closed after it was refused; null while it is open, and for the others. */
  readonly closure: Closure | null;
  /** How its number of rows compared with the one that was declared; null: none was. */
  readonly control: 'met' | 'different' | 'missing' | null;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Its submissions; a state without any is left out. */
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Invalid rows that nobody has resolved yet. */
  readonly invalidOpen: number;
}

/** What a list of files is sorted by. */
export type DropSort = 'time' | 'name' | 'source' | 'rows';

/** Which drops are listed, and which page of the list. A null doesn't narrow. */
export interface DropsAsked {
  readonly source: string | null;
  /** A part of the file's name, whatever its case. */
  readonly name: string | null;
  readonly state: DropState | null;
  readonly sort: DropSort;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** Lists drops with what each became, from indexes alone, one page of them. */
export async function dropPage(
  ledger: Ledger,
  { source, name, state, sort, isDescending, page, limit }: DropsAsked,
): Promise<{ readonly drops: readonly ListedDropFile[]; readonly total: number }> {
  const fits = sql<boolean>`${source === null ? sql`true` : sql`d.source = ${source}`}
    and ${name === null ? sql`true` : sql`instr(lower(d.file_name), ${name.toLowerCase()}) > 0`}
    and ${state === null ? sql`true` : sql`d.state = ${state}`}`;
  const direction = isDescending ? 'desc' : 'asc';
  return reading(ledger, async (ledger) => {
    const listed = query.selectFrom('drop_file as d').where(fits);
    const counted = await first(ledger, listed.select(sql<number>`count(*)`.as('count')));
    const found = await all(
      ledger,
      listed
        .select('d.drop_id as dropId')
        .orderBy(SORTS[sort], direction)
        .orderBy('d.drop_id', direction)
        .limit(sql<number>`${limit} + 0`)
        .offset(sql<number>`${(page - 1) * limit} + 0`),
    );
    const drops = await listedDrops(
      ledger,
      found.map(({ dropId }) => dropId),
    );
    return { drops, total: counted?.count ?? 0 };
  });
}

/** The number of a drop goes with the time at which it was first taken. */
const SORTS = {
  time: sql`d.drop_id`,
  name: sql`lower(d.file_name)`,
  source: sql`d.source`,
  rows: sql`coalesce(d.rows_read, -1)`,
} as const satisfies Record<DropSort, unknown>;

/** These drops, in this order. */
export async function listedDrops(ledger: Ledger, dropIds: readonly number[]): Promise<ListedDropFile[]> {
  const states = await statesOfDrops(ledger, dropIds);
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        'd.drop_id as dropId',
        'd.source',
        'd.environment',
        'd.operation',
        'd.file_name as file',
        'd.bytes',
        'd.state',
        'd.taken_at as takenAt',
        'd.published_at as publishedAt',
        'd.rows_read as rowsRead',
        'd.run_id as runId',
        'd.refusal',
        'd.control',
        sql<number>`d.invalid - (select count(*) from resolution z where z.drop_id = d.drop_id)`.as(
          'invalidOpen',
        ),
      ])
      .where(sql<boolean>`d.drop_id in (select value from json_each(${JSON.stringify(dropIds)}))`),
  );
  const byId = new Map(drops.map((drop) => [drop.dropId, drop]));
  return (
    await inTurn(dropIds, async (dropId): Promise<ListedDropFile[]> => {
      const drop = byId.get(dropId);
      if (drop === undefined) return [];
      const isPublished = drop.state === 'published';
      return [
        {
          ...drop,
          closure: drop.state === 'refused' ? await closureOf(ledger, dropId) : null,
          dispositions: dropDispositions(ledger, dropId),
          states: isPublished ? (states.get(dropId) ?? {}) : {},
          invalidOpen: isPublished ? drop.invalidOpen : 0,
          control: isPublished ? drop.control : null,
        },
      ];
    })
  ).flat();
}
