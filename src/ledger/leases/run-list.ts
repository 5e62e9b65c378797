import { sql } from 'kysely';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import { mapSeries } from '../../domain/process/series.js';
import { isBeyond, type ListQuery } from '../store/pages.js';
import { all, boundLimit, count, type Ledger, query, reading } from '../store/query.js';
import { importedBy, runSummaries } from './runs.js';

/** A page of the list of runs. A null doesn't filter. */
export interface RunListQuery extends ListQuery {
  readonly trigger: RunTrigger | null;
  /** `open`: it is running, or its process died and no later run has adopted it. */
  readonly end: RunEnd | 'open' | null;
}

/** The maximum number of requests to count for each run: counting more would make the list slow. */
const MAX_REQUESTS = 5_000;

/**
 * Lists runs by number, a page at a time, each with its imported files and rows and its requests; `areAllCounted` is
 * false if it has more requests than are counted. `total`: how many runs match; `next`: the run after which the next
 * page starts; null: this is the last page.
 */
export async function listRuns(ledger: Ledger, page: RunListQuery) {
  const { isDescending, most } = page;
  return reading(ledger, async (ledger) => {
    const runs = await all(
      ledger,
      runSummaries
        .where(matches(page))
        .where(isBeyond('run_id', page))
        .orderBy('run_id', isDescending ? 'desc' : 'asc')
        .limit(boundLimit(most + 1)),
    );
    const shown = runs.slice(0, most);
    return {
      rows: await mapSeries(shown, async (run) => ({ ...run, ...(await countsOf(ledger, run.runId)) })),
      total: await count(ledger, query.selectFrom('run').where(matches(page))),
      next: runs.length > most ? (shown.at(-1)?.runId ?? null) : null,
    };
  });
}

async function countsOf(ledger: Ledger, runId: number) {
  const upTo = sql<{ one: number }>`(select 1 as one from attempt where run_id = ${runId}
    limit ${sql.lit(MAX_REQUESTS + 1)})`;
  const requests = await count(ledger, query.selectFrom(upTo.as('some')));
  return {
    ...(await importedBy(ledger, runId)),
    requests: Math.min(requests, MAX_REQUESTS),
    areAllCounted: requests <= MAX_REQUESTS,
  };
}

function matches({ trigger, end }: Pick<RunListQuery, 'trigger' | 'end'>) {
  const ended = end === null ? sql`true` : end === 'open' ? sql`ending is null` : sql`ending = ${end}`;
  return sql<boolean>`${trigger === null ? sql`true` : sql`"trigger" = ${trigger}`} and ${ended}`;
}
