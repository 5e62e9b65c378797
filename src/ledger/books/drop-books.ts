import { sql } from 'kysely';
import { DISPOSITIONS, type Disposition } from '../../domain/row.js';
import { ATTENTION_STATES, STATES, type State } from '../../domain/submission.js';
import { all, type Ledger, query } from '../store/query.js';

/** What is kept of a published drop, summed in each way that must agree with the others. */
export interface DropBooks {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly rowsRead: number;
  /** Submissions that staging made beyond the first of their row. */
  readonly further: number;
  /** Rows by disposition, as staging counted them and as they are there. */
  readonly recorded: Readonly<Record<Disposition, number>>;
  readonly found: Readonly<Record<Disposition, number>>;
  readonly submissions: number;
  readonly byDecision: number;
  /** How rows and submissions stand by `standingName`: as they are, as counters say, and as open items say. */
  readonly standing: Standings;
  readonly counters: Standings;
  readonly items: Standings;
}

/** How many rows or submissions stand so. */
export type Standings = ReadonlyMap<string, number>;

/** Sums the books of published drops. */
export async function dropBooks(ledger: Ledger, dropIds: readonly number[]): Promise<DropBooks[]> {
  const isAsked = sql<boolean>`drop_id in (select value from json_each(${JSON.stringify(dropIds)}))`;
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['drop_id as dropId', 'source', 'file_name as file', sql<number>`rows_read`.as('rowsRead')])
      .select(['further', 'staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data'])
      .select('blank')
      .where('state', '=', sql.lit('published'))
      .where(isAsked)
      .orderBy('drop_id'),
  );
  const rows = byDrop(
    await all(
      ledger,
      query
        .selectFrom('row')
        .select('drop_id as dropId')
        .select(
          DISPOSITIONS.map((name) =>
            sql<number>`coalesce(sum(lines) filter (where disposition = ${sql.lit(name)}), 0)`.as(name),
          ),
        )
        .where(isAsked)
        .groupBy('drop_id'),
    ),
  );
  const states = byDrop(
    await all(
      ledger,
      query
        .selectFrom('submission')
        .select(['drop_id as dropId', sql<number>`count(*)`.as('count')])
        .select(
          STATES.map((state) => sql<number>`count(*) filter (where state = ${sql.lit(state)})`.as(state)),
        )
        .where(isAsked)
        .groupBy('drop_id'),
    ),
  );
  const decided = byDrop(
    await all(
      ledger,
      query
        .selectFrom('submission')
        .select(['drop_id as dropId', sql<number>`count(*)`.as('count')])
        .where('decision_id', 'is not', null)
        .where(isAsked)
        .groupBy('drop_id'),
    ),
  );
  const invalid = byDrop(
    await all(
      ledger,
      query
        .selectFrom('row as r')
        .select(['r.drop_id as dropId', sql<number>`count(*)`.as('count')])
        .where('r.disposition', '=', sql.lit('invalid'))
        .where(isAsked)
        .where(
          sql<boolean>`not exists (select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line)`,
        )
        .groupBy('r.drop_id'),
    ),
  );
  const closed = await all(
    ledger,
    query
      .selectFrom('submission as s')
      .select(['s.drop_id as dropId', 's.state', sql<string>`coalesce(s.cause, '')`.as('cause')])
      .select(sql<string>`coalesce(s.platform_code, s.cause, '')`.as('code'))
      .select(sql<number>`count(*)`.as('count'))
      .where(isNamed)
      .where(isAsked)
      .groupBy(['s.state', 's.cause', 's.platform_code', 's.drop_id']),
  );
  const counters = await all(
    ledger,
    query
      .selectFrom('counter')
      .select(['drop_id as dropId', 'state', 'cause', 'code', 'count'])
      .where(isAsked),
  );
  const items = await all(
    ledger,
    query
      .selectFrom('open_item')
      .select(['drop_id as dropId', 'state', 'cause', 'code', sql<number>`count(*)`.as('count')])
      .where(isAsked)
      .groupBy(['drop_id', 'state', 'cause', 'code']),
  );
  const standing = together([
    ...closed,
    ...[...states].flatMap(([dropId, counts]) =>
      UNNAMED.map((state) => ({ dropId, state, count: counts[state] })),
    ),
    ...[...invalid].map(([dropId, { count }]) => ({ dropId, state: 'invalid' as const, count })),
  ]);
  const counted = together(counters);
  const open = together(items);
  return drops.map(({ dropId, source, file, rowsRead, further, ...recorded }) => ({
    dropId,
    source,
    file,
    rowsRead,
    further,
    recorded,
    found: { ...NO_ROWS, ...foundOf(rows.get(dropId)) },
    submissions: states.get(dropId)?.count ?? 0,
    byDecision: decided.get(dropId)?.count ?? 0,
    standing: standing.get(dropId) ?? new Map(),
    counters: counted.get(dropId) ?? new Map(),
    items: open.get(dropId) ?? new Map(),
  }));
}

/** States that are compared without their cause: a submission passes through them, with whatever cause it had before. */
const UNNAMED = ['waiting', 'sending', 'accepted'] as const satisfies readonly State[];

/** For `submission as s`, as in the index of such submissions. */
const isNamed = sql<boolean>`(${sql.join(
  [...ATTENTION_STATES, 'dismissed', 'replaced'].map((state) => sql`s.state = ${sql.lit(state)}`),
  sql` or `,
)})`;

function foundOf(row: ({ readonly dropId: number } & Record<Disposition, number>) | undefined) {
  if (row === undefined) return {};
  const { dropId: _, ...found } = row;
  return found;
}

const NO_ROWS = Object.fromEntries(DISPOSITIONS.map((name) => [name, 0])) as Record<Disposition, number>;

/** How a row or a submission stands, for people. */
function standingName({ state, cause = '', code = '' }: Standing): string {
  const isPassing = UNNAMED.some((one) => one === state) || state === 'invalid';
  return isPassing || code === ''
    ? state
    : code === cause
      ? `${state} ${cause}`
      : `${state} ${cause} ${code}`;
}

interface Standing {
  readonly state: State | 'invalid';
  readonly cause?: string;
  readonly code?: string;
}

function together(
  counted: readonly (Standing & { readonly dropId: number; readonly count: number })[],
): ReadonlyMap<number, Standings> {
  const drops = new Map<number, Map<string, number>>();
  for (const { dropId, count, ...standing } of counted) {
    if (count === 0) continue;
    const own = drops.get(dropId) ?? new Map<string, number>();
    const name = standingName(standing);
    drops.set(dropId, own.set(name, (own.get(name) ?? 0) + count));
  }
  return drops;
}

function byDrop<T extends { readonly dropId: number }>(rows: readonly T[]): ReadonlyMap<number, T> {
  return new Map(rows.map((row) => [row.dropId, row]));
}

/** The standings that need a person. */
export function openOf(standings: Standings): Standings {
  return new Map(
    [...standings].filter(([name]) => OPEN.some((state) => name === state || name.startsWith(`${state} `))),
  );
}

const OPEN = ['invalid', ...ATTENTION_STATES];

/** Standings that two ways of counting give differently, each with both counts. */
export function differences(
  one: Standings,
  other: Standings,
): { readonly name: string; readonly one: number; readonly other: number }[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, one: one.get(name) ?? 0, other: other.get(name) ?? 0 }))
    .filter((both) => both.one !== both.other);
}
