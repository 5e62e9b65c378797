import { sql } from 'kysely';
import type { WaitingQueue } from '../../documents/report.js';
import type { Cause } from '../../domain/cause.js';
import type { DropState } from '../../domain/drop.js';
import { totals } from '../../domain/grouped.js';
import { mapSeries } from '../../domain/process/series.js';
import { DISPOSITIONS } from '../../domain/row.js';
import type { State } from '../../domain/submission.js';
import { dispositionsOf } from '../drops/drops.js';
import { closureOf } from '../drops/refused/refused-drops.js';
import { leaseHolder } from '../leases/leases.js';
import { isAmong } from '../store/dialect.js';
import { all, first, type Ledger } from '../store/query.js';
import { OPEN_STATES, published } from '../submissions/open-items.js';
import { countByEnvironment } from '../submissions/waiting.js';

/** Counts submissions of published drops by environment, state and cause; null: none, waiting or being sent. */
export async function submissionCounts(ledger: Ledger) {
  const isUnderWay = sql<boolean>`n.state in ('waiting', 'sending', 'accepted')`;
  const cause = sql<Cause | null>`case when ${isUnderWay} then null else nullif(n.cause, '') end`;
  return all(
    ledger,
    published()
      .innerJoin('environment as e', 'e.environment_id', 'n.environment_id')
      .select(['e.name as environment', sql<State>`n.state`.as('state'), cause.as('cause')])
      .select(sql<number>`sum(n.count)`.as('count'))
      .where('n.state', '<>', 'invalid')
      .groupBy(['e.name', 'n.state', cause]),
  );
}

/** Adds to drops how a refused one was closed (null: it is open, or not refused), and the counts of their rows and submissions. */
export async function countedDrops<Drop extends { readonly drop: number; readonly state: DropState }>(
  ledger: Ledger,
  drops: readonly Drop[],
) {
  const ids = drops.map(({ drop }) => drop);
  const states = await statesOfDrops(ledger, ids);
  const dispositions = await dispositionsOf(ledger, ids);
  return mapSeries(drops, async (drop) => ({
    ...drop,
    closure: drop.state === 'refused' ? await closureOf(ledger, drop.drop) : null,
    dispositions: totals(DISPOSITIONS, [dispositions.get(drop.drop) ?? {}]),
    states: states.get(drop.drop) ?? {},
  }));
}

/** Counts the submissions of drops by state; a state without any is absent. */
async function statesOfDrops(ledger: Ledger, dropIds: readonly number[]) {
  const ofDrops = published()
    .select(['n.drop_id as dropId', sql<State>`n.state`.as('state'), sql<number>`sum(n.count)`.as('count')])
    .where(isAmong('n.drop_id', dropIds))
    .where('n.state', '<>', 'invalid')
    .groupBy(['n.drop_id', 'n.state']);
  const states = new Map<number, Partial<Record<State, number>>>();
  for (const { dropId, state, count } of await all(ledger, ofDrops)) {
    states.set(dropId, { ...states.get(dropId), [state]: count });
  }
  return states;
}

/** Counts the rows and submissions that need attention. */
export async function countOpen(ledger: Ledger): Promise<number> {
  const open = published().where('n.state', 'in', OPEN_STATES);
  const counted = await first(ledger, open.select(sql<number>`sum(n.count)`.as('count')));
  return counted?.count ?? 0;
}

export async function queuesWaiting(ledger: Ledger): Promise<WaitingQueue[]> {
  return mapSeries(await countByEnvironment(ledger, 'waiting'), async ({ environment, count }) => {
    return { environment, waiting: count, pushedBy: await leaseHolder(ledger, `push:${environment}`) };
  });
}
