import { sql } from 'kysely';
import type { OutcomeKind } from '../../domain/outcome.js';
import { mapSeries } from '../../domain/process/series.js';
import { boundLimit, first, type Ledger, query, reading } from '../store/query.js';
import { runSummaries, takenInBy } from './runs.js';

/** Each answer is looked up by itself: more of them for one environment take longer than a page may. */
const MAX_ANSWERS = 50_000;

/**
 * Reads a run with the first of the files that it took in, and with its requests by environment and first answer (`open`: none has
 * come), the latest of many; null: there is none of this number. `adoptedBy`: the later run whose report covers this one, which died;
 * null: its own does. Personal: a refusal may name a value.
 */
export async function readRunInFull(ledger: Ledger, runId: number, mostDrops: number) {
  return reading(ledger, async (ledger) => {
    const run = runSummaries.select(['version', 'adopted_by as adoptedBy']).where('run_id', '=', runId);
    const facts = await first(ledger, run);
    if (facts === undefined) return null;
    const environments = await ledger.db
      .selectFrom('attempt')
      .select(['environment', sql<number>`count(*)`.as('requests')])
      .where('run_id', '=', runId)
      .groupBy('environment')
      .orderBy('environment')
      .execute();
    const answers = await mapSeries(environments, ({ environment }) => answersOf(ledger, runId, environment));
    return {
      ...facts,
      ...(await takenInBy(ledger, runId)),
      requests: environments.reduce((sum, { requests }) => sum + requests, 0),
      answers: answers.flat(),
      drops: await dropsOf(ledger, runId, mostDrops),
    };
  });
}

async function answersOf(ledger: Ledger, runId: number, environment: string) {
  const latest = query
    .selectFrom('attempt')
    .select('attempt_id')
    .where('run_id', '=', runId)
    .where('environment', '=', environment)
    .orderBy('attempt_id', 'desc')
    .limit(boundLimit(MAX_ANSWERS))
    .as('a');
  const counted = await ledger.db
    .selectFrom(latest)
    .leftJoin('response as r', (join) =>
      join.onRef('r.attempt_id', '=', 'a.attempt_id').on(sql<boolean>`r.late = 0`),
    )
    .select([
      sql<OutcomeKind | 'open'>`coalesce(r.outcome, 'open')`.as('outcome'),
      sql<number>`count(*)`.as('count'),
    ])
    .groupBy(sql`1`)
    .orderBy('count', 'desc')
    .execute();
  return counted.map((answers) => ({ environment, ...answers }));
}

function dropsOf(ledger: Ledger, runId: number, most: number) {
  return ledger.db
    .selectFrom('drop_file')
    .select([
      'drop_id as dropId',
      'file_name as file',
      'source',
      'state',
      'rows_read as rows',
      'invalid',
      'refusal',
    ])
    .where('run_id', '=', runId)
    .orderBy('drop_id')
    .limit(boundLimit(most))
    .execute();
}
