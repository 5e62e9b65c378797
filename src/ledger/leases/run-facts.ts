import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import { first, type Ledger, query } from '../store/query.js';

/** One run as its report introduces it. */
export interface RunFacts {
  readonly runId: number;
  readonly trigger: RunTrigger;
  /** The Registrar that ran. */
  readonly version: string;
  readonly startedAt: string;
  /** null while it goes on, as it does when its own report is written. */
  readonly endedAt: string | null;
  readonly end: RunEnd | null;
}

/** null when there is no such run. */
export async function runFacts(ledger: Ledger, runId: number): Promise<RunFacts | null> {
  const found = await first(
    ledger,
    query
      .selectFrom('run')
      .select([
        'run_id as runId',
        'trigger',
        'version',
        'started_at as startedAt',
        'ended_at as endedAt',
        'ending as end',
      ])
      .where('run_id', '=', runId),
  );
  return found ?? null;
}
