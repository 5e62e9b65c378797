import { sql } from 'kysely';
import { inTurn } from '../../../domain/process/in-turn.js';
import { fileNamed, stagingDrop } from '../../drops/drops.js';
import { all, type Ledger, query, reading } from '../../store/query.js';
import { isAboutContent } from '../../submissions/select/conditions.js';
import { locateRows } from '../../submissions/select/locate-rows.js';
import type { MeantRows } from '../../submissions/select/select-rows.js';
import { runsOf } from '../books.js';
import { type BrowsedRow, rowsAt } from './browsed-rows.js';
import { type FewRow, fewRows, invalidNamed } from './few-rows.js';
import {
  ALL_DROPS,
  type Direction,
  type DropRange,
  listStream,
  piecesTogether,
  type RowPlace,
  type RowStream,
  rangesOf,
} from './row-places.js';
import { groupStream, invalidStream, MOST_LOOKED_AT, type Wanted, walkStream } from './row-streams.js';
import { groupsIn, INDEXED_STATES } from './state-groups.js';

/** One page of the rows of a selection. */
export interface RowPage {
  readonly rows: readonly BrowsedRow[];
  /** Where to go on; null: there are no more rows. */
  readonly next: RowPlace | null;
  /** How many rows there are; null where counting them takes too long. */
  readonly count: number | null;
  /** Kept rows without a record that were not searched for the learner's identifier. */
  readonly unsearched: number;
}

/** Which page. */
export interface PageAsked {
  /** The place after which it begins; null: the first. */
  readonly after: RowPlace | null;
  /** The most rows on it. */
  readonly limit: number;
  readonly direction: Direction;
}

/**
 * Reads one page of a selection's rows, in the order of drops and lines, in a time that doesn't depend on how many there are. Where
 * no index knows which rows fit, a page looks through so many and may have fewer rows than fit. Throws OperatorError for a
 * submission, a line, a run or a file that doesn't exist.
 */
export async function rowPage(
  ledger: Ledger,
  meant: MeantRows,
  { after, limit, direction }: PageAsked,
): Promise<RowPage> {
  return reading(ledger, async (ledger) => {
    const { streams, unsearched } = await streamsOf(ledger, meant, direction);
    const { places, upTo } = await piecesTogether(streams, direction, after, limit);
    return {
      rows: await rowsAt(ledger, places),
      next: upTo,
      count: await countIn(streams),
      unsearched,
    };
  });
}

async function countIn(streams: readonly RowStream[]): Promise<number | null> {
  let sum = 0;
  for (const { count } of streams) {
    const counted = await count();
    if (counted === null) return null;
    sum += counted;
  }
  return sum;
}

async function streamsOf(ledger: Ledger, { selection, learners }: MeantRows, direction: Direction) {
  // Their names are looked up alone: the rest is searched only as far as a page needs it.
  const named = { ...selection, learner: null, content: null };
  const { filter } = await locateRows(ledger, named, null);
  const ranges = await rangesFor(ledger, selection);
  const { states, cause, content, run } = selection;
  const ofStates = states.filter((state) => state !== 'invalid');
  const narrowing = [
    ...(content === null ? [] : [isAboutContent(content)]),
    ...(run === null
      ? []
      : [
          sql<boolean>`(s.drop_id in (select d.drop_id from drop_file d where d.run_id in ${runsOf(run)})
            or exists (select 1 from transition t where t.submission_id = s.submission_id and t.run_id in ${runsOf(run)}))`,
        ]),
  ];
  const fits = narrowing.length === 0 ? null : sql<boolean>`(${sql.join(narrowing, sql` and `)})`;
  const wanted: Wanted = {
    fits,
    ranges,
    staging: await stagingDrop(ledger),
    direction,
    most: MOST_LOOKED_AT,
  };
  if (learners !== null || filter.submissionIds) {
    const few = await fewRows(ledger, { learners, submissionIds: filter.submissionIds ?? null }, wanted);
    const isMeant = ({ state, cause: why, code }: FewRow) =>
      ofStates.some((one) => one === state) && (cause === null || cause === why || cause === code);
    const invalid = states.includes('invalid')
      ? await invalidNamed(ledger, { learners, content, cause, named: filter.rowRefs ?? null }, wanted)
      : { places: [], unsearched: 0 };
    const places = [...few.filter(isMeant), ...invalid.places];
    return { streams: [listStream(places, direction)], unsearched: invalid.unsearched };
  }
  const indexed = ofStates.filter((state) => INDEXED_STATES.includes(state));
  const groups = (await inTurn(indexed, async (state) => groupsIn(ledger, state)))
    .flat()
    .filter((group) => cause === null || group.cause === cause || group.platformCode === cause);
  const walked = ofStates.filter((state) => !indexed.includes(state));
  // Looking a content up takes as long as reading five rows.
  const shared = Math.ceil(MOST_LOOKED_AT / 5 / Math.max(1, groups.length));
  const caused = cause === null ? wanted : { ...wanted, fits: withCause(cause, fits) };
  const withoutRecord = states.includes('invalid') && content === null;
  return {
    streams: [
      ...groups.map((group) => groupStream(ledger, group, { ...wanted, most: shared })),
      ...(walked.length === 0 ? [] : [walkStream(ledger, walked, caused)]),
      ...(withoutRecord
        ? [invalidStream(ledger, cause, await invalidRanges(ledger, ranges, run), direction)]
        : []),
    ],
    unsearched: 0,
  };
}

function withCause(cause: string, fits: Wanted['fits']) {
  const has = sql<boolean>`exists (select 1 from submission c where c.submission_id = s.submission_id
    and (c.cause = ${cause} or c.platform_code = ${cause}))`;
  return fits === null ? has : sql<boolean>`(${has} and ${fits})`;
}

async function rangesFor(
  ledger: Ledger,
  { file, since, until }: MeantRows['selection'],
): Promise<readonly DropRange[]> {
  if (file === null && since === null && until === null) return ALL_DROPS;
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        'd.drop_id as dropId',
        sql<number>`${file === null ? sql`true` : fileNamed(file)}
          and ${since === null ? sql`true` : sql`d.published_at >= ${since}`}
          and ${until === null ? sql`true` : sql`d.published_at < ${until}`}`.as('isMeant'),
      ])
      .where('d.state', '=', 'published')
      .orderBy('d.drop_id'),
  );
  const meant = drops.filter(({ isMeant }) => isMeant === 1);
  return rangesOf(
    meant.map(({ dropId }) => dropId),
    drops.map(({ dropId }) => dropId),
  );
}

/** Ranges of the published drops among these that have open invalid rows. @param run only drops that it took in; null: all. */
async function invalidRanges(
  ledger: Ledger,
  ranges: readonly DropRange[],
  run: number | null,
): Promise<DropRange[]> {
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        'd.drop_id as dropId',
        sql<number>`d.invalid > 0
          and d.invalid > (select count(*) from resolution z where z.drop_id = d.drop_id)
          and ${run === null ? sql`true` : sql`d.run_id in ${runsOf(run)}`}`.as('isMeant'),
      ])
      .where('d.state', '=', 'published')
      .orderBy('d.drop_id'),
  );
  const isWithin = (dropId: number) => ranges.some(({ from, to }) => from <= dropId && dropId <= to);
  const meant = drops.filter(({ dropId, isMeant }) => isMeant === 1 && isWithin(dropId));
  return rangesOf(
    meant.map(({ dropId }) => dropId),
    drops.map(({ dropId }) => dropId),
  );
}
