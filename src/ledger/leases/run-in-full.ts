import { sql } from 'kysely';
import type { DropState } from '../../domain/drop.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import { all, first, type Ledger, query, reading } from '../store/query.js';
import { type RunFacts, runFacts } from './run-facts.js';
import { countsOfRun, type RunCounts } from './runs.js';

/** A run with what it did. */
export interface RunInFull extends RunFacts, RunCounts {
  /** The later run whose report covers this one, which died; null: its own does. */
  readonly adoptedBy: number | null;
  /** Requests by environment and by their first answers; `open`: none has come. */
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

/** Reads a run with the files that it took in and the answers to its requests; null: there is none of this number. */
export async function readRunInFull(
  ledger: Ledger,
  runId: number,
  mostDrops: number,
): Promise<RunInFull | null> {
  return reading(ledger, async (ledger) => {
    const facts = await runFacts(ledger, runId);
    if (facts === null) return null;
    const adopted = await first(
      ledger,
      query.selectFrom('run').select('adopted_by as by').where('run_id', '=', runId),
    );
    return {
      ...facts,
      ...(await countsOfRun(ledger, runId)),
      adoptedBy: adopted?.by ?? null,
      answers: await answersTo(ledger, runId),
      drops: await dropsOf(ledger, runId, mostDrops),
    };
  });
}

function answersTo(ledger: Ledger, runId: number): Promise<RunAnswers[]> {
  return all(
    ledger,
    query
      .selectFrom('attempt as a')
      .leftJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'a.attempt_id').on(sql<boolean>`r.late = 0`),
      )
      .select([
        'a.environment',
        sql<OutcomeKind | 'open'>`coalesce(r.outcome, 'open')`.as('outcome'),
        sql<number>`count(*)`.as('count'),
      ])
      .where('a.run_id', '=', runId)
      .groupBy(['a.environment', sql`2`])
      .orderBy('a.environment')
      .orderBy(sql`3`, 'desc'),
  );
}

function dropsOf(ledger: Ledger, runId: number, most: number): Promise<RunDrop[]> {
  return all(
    ledger,
    query
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
      .limit(most),
  );
}
