import { sql } from 'kysely';
import type { DropState } from '../../domain/drop.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import { mapSeries } from '../../domain/process/series.js';
import { boundLimit, first, type Ledger, query, reading } from '../store/query.js';
import { type RunCounts, type RunFacts, runSummaries, takenInBy } from './runs.js';

/** A run with what it did. */
export interface RunInFull extends RunFacts, RunCounts {
  /** The later run whose report covers this one, which died; null: its own does. */
  readonly adoptedBy: number | null;
  /** Requests by environment and by their first answers, the latest of many; `open`: none has come. */
  readonly answers: readonly RunAnswers[];
  /** The files that it took in, in their order, the first ones of many. */
  readonly drops: readonly RunDrop[];
}

/** Requests of a run to an environment that were answered alike. */
export interface RunAnswers {
  readonly environment: string;
  readonly outcome: OutcomeKind | 'open';
  readonly count: number;
}

/** A file that a run took in. */
export interface RunDrop {
  readonly dropId: number;
  readonly file: string;
  readonly source: string;
  readonly state: DropState;
  /** null unless published. */
  readonly rows: number | null;
  readonly invalid: number;
  /** Why it was refused; null otherwise. Personal: it may name a value. */
  readonly refusal: string | null;
}

/** Each answer is looked up by itself: more of them for one environment take longer than a page may. */
const MAX_ANSWERS = 50_000;

/** Reads a run with the files that it took in and the answers to its latest requests; null: there is none of this number. */
export async function readRunInFull(
  ledger: Ledger,
  runId: number,
  mostDrops: number,
): Promise<RunInFull | null> {
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

async function answersOf(ledger: Ledger, runId: number, environment: string): Promise<RunAnswers[]> {
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
      sql<RunAnswers['outcome']>`coalesce(r.outcome, 'open')`.as('outcome'),
      sql<number>`count(*)`.as('count'),
    ])
    .groupBy(sql`1`)
    .orderBy('count', 'desc')
    .execute();
  return counted.map((answers) => ({ environment, ...answers }));
}

function dropsOf(ledger: Ledger, runId: number, most: number): Promise<RunDrop[]> {
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
