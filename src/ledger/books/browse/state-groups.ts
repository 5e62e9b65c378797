import { sql } from 'kysely';
import type { State } from '../../../domain/submission.js';
import { first, type Ledger, query } from '../../store/query.js';

/** Submissions that are in a state for one reason. */
export interface StateGroup {
  readonly state: State;
  readonly cause: string | null;
  readonly platformCode: string | null;
}

/** The states whose submissions one index has by cause. */
export const INDEXED_STATES: readonly State[] = [
  'rejected',
  'failed',
  'in-doubt',
  'held',
  'dismissed',
  'replaced',
];

/** The reasons for which submissions are in a state. It leaps from one to the next, however many submissions have each. */
export async function groupsIn(ledger: Ledger, state: State): Promise<StateGroup[]> {
  // The state as a literal, so that SQLite uses the index.
  const rows = query
    .selectFrom('submission as s')
    .select(['s.cause', 's.platform_code as platformCode'])
    .where(sql<boolean>`s.state = ${sql.lit(state)}`)
    .orderBy('s.cause')
    .orderBy('s.platform_code')
    .limit(1);
  const groups: StateGroup[] = [];
  for (let group = await first(ledger, rows); group !== undefined; ) {
    groups.push({ state, ...group });
    const { cause, platformCode } = group;
    const sameCause = rows
      .where(sql<boolean>`s.cause is ${cause}`)
      .where(isAfter('s.platform_code', platformCode));
    group = (await first(ledger, sameCause)) ?? (await first(ledger, rows.where(isAfter('s.cause', cause))));
  }
  return groups;
}

/** Nulls come first. */
function isAfter(column: string, value: string | null) {
  return value === null
    ? sql<boolean>`${sql.ref(column)} is not null`
    : sql<boolean>`${sql.ref(column)} > ${value}`;
}
