import { type RawBuilder, sql } from 'kysely';
import type { SelectableState } from '../../../domain/selection.js';
import { all, boundLimit, first, type Ledger, query } from '../../store/query.js';
import { leads } from '../rows/attention.js';
import {
  type Bounds,
  type Direction,
  type DropRange,
  type RowPlace,
  type RowStream,
  rangeByRange,
} from './row-places.js';
import type { StateGroup } from './state-groups.js';

/**
 * The most rows that are looked at for one page where no index knows which of them fit, by all parts of its list together: some
 * ten milliseconds.
 */
export const MOST_LOOKED_AT = 10_000;

/** The most rows that are looked at to count those that fit: more take longer than a page may. */
const MOST_COUNTED = 20_000;

/** Which rows of a list are wanted, beside what chooses the index. */
export interface Wanted {
  /** Condition on `submission as s`, by its number, drop and line alone; null: none. */
  readonly fits: RawBuilder<boolean> | null;
  /** Ascending. */
  readonly ranges: readonly DropRange[];
  /** The drop that is being staged, whose rows don't count; null: none is. */
  readonly staging: number | null;
  readonly direction: Direction;
  /** How many rows may be looked at for a page where no index knows which of them fit. */
  readonly most: number;
}

/** Submissions of one group: the index of rows that need attention has them in order. */
export function groupStream(
  ledger: Ledger,
  { state, cause, platformCode }: StateGroup,
  wanted: Wanted,
): RowStream {
  // The state as a literal, so that SQLite uses the index.
  const inGroup = sql<boolean>`s.state = ${sql.lit(state)} and ${isValue('s.cause', cause)}
    and ${isValue('s.platform_code', platformCode)}`;
  const window = windowOn(sql`submission s`, inGroup, wanted);
  const { fits, ranges, staging } = wanted;
  return {
    after: submissionsIn(ledger, window, wanted),
    count: async () => {
      if (fits !== null) return null;
      const inRanges = ranges.map(({ from, to }) => sql<boolean>`s.drop_id between ${from} and ${to}`);
      const counted = await first(
        ledger,
        query
          .selectFrom('submission as s')
          .select(sql<number>`count(*)`.as('count'))
          .where(inGroup)
          .where('s.drop_id', '<>', staging ?? 0)
          .where(anyOf(inRanges)),
      );
      return counted?.count ?? 0;
    },
  };
}

/** Submissions in states that no such index has: all submissions are looked through in order. */
export function walkStream(ledger: Ledger, states: readonly SelectableState[], wanted: Wanted): RowStream {
  const isIn = sql<boolean>`(select w.state from submission w where w.submission_id = s.submission_id)
    in (${sql.join(states.map((state) => sql.lit(state)))})`;
  const fits = wanted.fits === null ? isIn : sql<boolean>`(${isIn} and ${wanted.fits})`;
  const narrowed = { ...wanted, fits };
  const window = windowOn(sql`submission s indexed by submission_row`, sql<boolean>`true`, narrowed);
  return { after: submissionsIn(ledger, window, narrowed), count: async () => null };
}

/** The rows between two places, so many at most. */
type Window = (bounds: Bounds, most: number) => RawBuilder<PlaceRow>;

interface PlaceRow {
  readonly drop_id: number;
  readonly line: number;
  readonly submission_id: number;
}

function windowOn(
  from: RawBuilder<unknown>,
  inGroup: RawBuilder<boolean>,
  { staging, direction }: Wanted,
): Window {
  const order = sql.raw(direction);
  return ({ above, below }, most) => sql<PlaceRow>`(select s.drop_id, s.line, s.submission_id from ${from}
    where ${inGroup} and s.drop_id <> ${staging ?? 0}
      and (s.drop_id, s.line, s.submission_id) > (${above.dropId}, ${above.line}, ${above.submissionId})
      and (s.drop_id, s.line, s.submission_id) < (${below.dropId}, ${below.line}, ${below.submissionId})
    order by s.drop_id ${order}, s.line ${order}, s.submission_id ${order} limit ${boundLimit(most)})`;
}

function submissionsIn(
  ledger: Ledger,
  window: Window,
  { fits, ranges, direction, most }: Wanted,
): RowStream['after'] {
  const state = sql<SelectableState>`(select o.state from submission o where o.submission_id = s.submission_id)`;
  return async (after, limit) =>
    rangeByRange({ ranges, direction, most }, after, limit, async (bounds, left, most) => {
      const looked = window(bounds, fits === null ? left : most);
      const places = await all(
        ledger,
        query
          .selectFrom(looked.as('s'))
          .select([...PLACE, state.as('state')])
          .where(fits ?? sql<boolean>`true`)
          .limit(boundLimit(left)),
      );
      if (places.length === left) return { places, upTo: places.at(-1) ?? null, looked: 0 };
      if (fits === null) return { places, upTo: null, looked: 0 };
      return { places, ...(await lookedThrough(ledger, looked, most)) };
    });
}

/**
 * Rows that became no record and that no decision has resolved.
 * @param code the code under which they count; null: any.
 * @param ranges of drops that have such rows.
 */
export function invalidStream(
  ledger: Ledger,
  code: string | null,
  ranges: readonly DropRange[],
  direction: Direction,
): RowStream {
  const order = sql.raw(direction);
  const hasIssue = sql`exists (select 1 from issue i
    where i.drop_id = s.drop_id and i.line = s.line and i.code = ${code} and ${leads})`;
  const isOpen = sql<boolean>`not exists (
    select 1 from resolution z where z.drop_id = s.drop_id and z.line = s.line)
    and ${code === null ? sql`true` : hasIssue}`;
  // A row stands before the submissions of its line.
  const window: Window = (
    { above, below },
    most,
  ) => sql<PlaceRow>`(select r.drop_id, r.line, 0 as submission_id
    from row r where r.disposition = 'invalid' and (r.drop_id, r.line) > (${above.dropId}, ${above.line})
      and (r.drop_id, r.line) < (${below.dropId}, ${below.submissionId > 0 ? upOne(below.line) : below.line})
    order by r.drop_id ${order}, r.line ${order} limit ${boundLimit(most)})`;
  return {
    after: async (after, limit) =>
      rangeByRange({ ranges, direction, most: MOST_LOOKED_AT }, after, limit, async (bounds, left, most) => {
        const looked = window(bounds, most);
        const found = await all(
          ledger,
          query.selectFrom(looked.as('s')).select(PLACE).where(isOpen).limit(boundLimit(left)),
        );
        const places = found.map((place) => ({ ...place, state: 'invalid' as const }));
        if (places.length === left) return { places, upTo: places.at(-1) ?? null, looked: 0 };
        return { places, ...(await lookedThrough(ledger, looked, most)) };
      }),
    count: async () => {
      let count = 0;
      const counted = await rangeByRange(
        { ranges, direction, most: MOST_COUNTED },
        null,
        1,
        async (bounds, _, most) => {
          const looked = window(bounds, most);
          const found = query
            .selectFrom(looked.as('s'))
            .select(sql<number>`count(*)`.as('count'))
            .where(isOpen);
          count += (await first(ledger, found))?.count ?? 0;
          return { places: [], ...(await lookedThrough(ledger, looked, most)) };
        },
      );
      return counted.upTo === null ? count : null;
    },
  };
}

const PLACE = ['s.drop_id as dropId', 's.line', 's.submission_id as submissionId'] as const;

/** How many rows were looked at, and where looking ended before there were no more. */
async function lookedThrough(
  ledger: Ledger,
  looked: RawBuilder<PlaceRow>,
  most: number,
): Promise<{ upTo: RowPlace | null; looked: number }> {
  const offset = sql<number>`${most - 1} + 0`;
  const last = await first(ledger, query.selectFrom(looked.as('s')).select(PLACE).limit(1).offset(offset));
  if (last !== undefined) return { upTo: last, looked: most };
  const counted = await first(
    ledger,
    query.selectFrom(looked.as('s')).select(sql<number>`count(*)`.as('count')),
  );
  return { upTo: null, looked: counted?.count ?? 0 };
}

/** Where one of these conditions holds. SQLite plans by what it is given: a `false` among them would hide every index. */
export function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function upOne(line: number): number {
  return line < Number.MAX_SAFE_INTEGER ? line + 1 : line;
}

/** A column has this value. An index knows a null as well. */
function isValue(column: string, value: string | null): RawBuilder<boolean> {
  return value === null
    ? sql<boolean>`${sql.ref(column)} is null`
    : sql<boolean>`${sql.ref(column)} = ${value}`;
}
