import { type RawBuilder, sql } from 'kysely';
import type { DropBooks } from '../../../domain/balance/equations.js';
import { type BookState, type StateCounts, size, stateKey } from '../../../domain/balance/state-counts.js';
import { DISPOSITIONS, type Disposition } from '../../../domain/row.js';
import { ATTENTION_STATES } from '../../../domain/submission.js';
import { isAmong } from '../../store/dialect.js';
import { all, type Ledger, query } from '../../store/query.js';

export async function dropBooks(ledger: Ledger, dropIds: readonly number[]): Promise<DropBooks[]> {
  const isSelected = isAmong('drop_id', dropIds);
  const drops = await ledger.db
    .selectFrom('drop_file')
    .select(['drop_id as dropId', 'source', 'file_name as file', sql<number>`rows_read`.as('rowsRead')])
    .select(['further', 'staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data'])
    .select('blank')
    .where('state', '=', sql.lit('published'))
    .where(isSelected)
    .orderBy('drop_id')
    .execute();
  const rowCounts = await rowsFound(ledger, isSelected);
  const created = await countSubmissions(ledger, isSelected);
  const decided = await countSubmissions(ledger, sql<boolean>`decision_id is not null and ${isSelected}`);
  const states = await countStates(ledger, isSelected, created);
  const counters = together(
    await ledger.db
      .selectFrom('counter')
      .select(['drop_id as dropId', 'state', 'cause', 'code', 'count'])
      .where(isSelected)
      .execute(),
  );
  const items = together(
    await ledger.db
      .selectFrom('open_item')
      .select(['drop_id as dropId', 'state', 'cause', 'code', sql<number>`count(*)`.as('count')])
      .where(isSelected)
      .groupBy(['drop_id', 'state', 'cause', 'code'])
      .execute(),
  );
  return drops.map(({ dropId, source, file, rowsRead, further, ...recorded }) => ({
    dropId,
    source,
    file,
    rowsRead,
    further,
    recorded,
    found: rowCounts.get(dropId) ?? NO_ROWS,
    submissions: created.get(dropId) ?? 0,
    byDecision: decided.get(dropId) ?? 0,
    states: states.get(dropId) ?? NOTHING,
    counters: counters.get(dropId) ?? NOTHING,
    items: items.get(dropId) ?? NOTHING,
  }));
}

const NO_ROWS = Object.fromEntries(DISPOSITIONS.map((name) => [name, 0])) as Record<Disposition, number>;
const NOTHING: StateCounts = new Map();

async function rowsFound(ledger: Ledger, isSelected: RawBuilder<boolean>) {
  const rows = query.selectFrom('row').where(isSelected);
  // Nearly all rows are staged. A separate query counts them in table order, without sorting a million rows.
  const staged = rows
    .select(['drop_id as dropId', sql<Disposition>`'staged'`.as('disposition')])
    .select(sql<number>`count(*)`.as('count'))
    .where('disposition', '=', sql.lit('staged'))
    .groupBy('drop_id');
  const others = rows
    .select(['drop_id as dropId', 'disposition', sql<number>`sum(lines)`.as('count')])
    .where('disposition', '<>', sql.lit('staged'))
    .groupBy(['drop_id', 'disposition']);
  const counts = new Map<number, Record<Disposition, number>>();
  for (const { dropId, disposition, count } of await all(ledger, staged.unionAll(others))) {
    counts.set(dropId, { ...NO_ROWS, ...counts.get(dropId), [disposition]: count });
  }
  return counts;
}

/** Counts the submissions that match a condition, by drop; a drop without any is absent. */
async function countSubmissions(ledger: Ledger, which: RawBuilder<boolean>) {
  const counted = await ledger.db
    .selectFrom('submission')
    .select(['drop_id as dropId', sql<number>`count(*)`.as('count')])
    .where(which)
    .groupBy('drop_id')
    .execute();
  return new Map(counted.map(({ dropId, count }) => [dropId, count]));
}

/** Counts the rows and submissions of each drop by state, cause and code. */
async function countStates(
  ledger: Ledger,
  isSelected: RawBuilder<boolean>,
  created: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, StateCounts>> {
  const named = await ledger.db
    .selectFrom('submission as s')
    .select(['s.drop_id as dropId', 's.state', sql<string>`coalesce(s.cause, '')`.as('cause')])
    .select(sql<string>`coalesce(s.platform_code, s.cause, '')`.as('code'))
    .select(sql<number>`count(*)`.as('count'))
    .where(isNamed)
    .where(isSelected)
    .groupBy(['s.state', 's.cause', 's.platform_code', 's.drop_id'])
    .execute();
  const invalid = await ledger.db
    .selectFrom('row as r')
    .select(['r.drop_id as dropId', sql<number>`count(*)`.as('count')])
    .where('r.disposition', '=', sql.lit('invalid'))
    .where(isSelected)
    .where(
      sql<boolean>`not exists (select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line)`,
    )
    .groupBy('r.drop_id')
    .execute();
  const accepted = await countSubmissions(ledger, sql<boolean>`state = 'accepted' and ${isSelected}`);
  // They are few, and one index has those of all drops.
  const sending = await countSubmissions(ledger, sql<boolean>`state = 'sending'`);
  const others = together(named);
  const inState = (state: BookState['state'], dropId: number, count = 0) => ({ state, dropId, count });
  return together([
    ...named,
    ...[...created].flatMap(([dropId, count]) => {
      const [done, under] = [accepted.get(dropId) ?? 0, sending.get(dropId) ?? 0];
      // The schema has no other state.
      const waiting = count - done - under - size(others.get(dropId) ?? NOTHING);
      return [
        inState('accepted', dropId, done),
        inState('sending', dropId, under),
        inState('waiting', dropId, waiting),
      ];
    }),
    ...invalid.map(({ dropId, count }) => inState('invalid', dropId, count)),
  ]);
}

/** Condition on `submission as s`, as in the partial index of such submissions. */
const isNamed = sql<boolean>`(${sql.join(
  [...ATTENTION_STATES, 'dismissed', 'replaced'].map((state) => sql`s.state = ${sql.lit(state)}`),
  sql` or `,
)})`;

function together(counted: readonly (BookState & { readonly dropId: number; readonly count: number })[]) {
  const drops = new Map<number, Map<string, number>>();
  for (const { dropId, count, ...state } of counted) {
    if (count === 0) continue;
    const own = drops.get(dropId) ?? new Map<string, number>();
    const name = stateKey(state);
    drops.set(dropId, own.set(name, (own.get(name) ?? 0) + count));
  }
  return drops;
}
