import { sql } from 'kysely';
import type { Ledger } from '../../store/query.js';
import { equationsIn } from './equations.js';

/** Books that don't balance now. */
export interface Unbalanced {
  /** The latest run with control equations that don't hold; null: none. */
  readonly run: number | null;
  /** How many published drops had more or fewer rows than staging recorded for all dispositions. */
  readonly files: number;
}

/** A published drop that had more or fewer rows than staging recorded for all dispositions. */
export interface UnbalancedDrop {
  readonly dropId: number;
  readonly file: string;
}

/** So many of the runs that found their books unbalanced are looked at again. */
const RUNS = 20;

/** What doesn't balance, as far as runs and drops themselves tell; null: nothing is known to. A report compares every row. */
export async function unbalanced(ledger: Ledger): Promise<Unbalanced | null> {
  const run = await unbalancedRun(ledger);
  const files = (await unbalancedDrops(ledger)).length;
  return run === null && files === 0 ? null : { run, files };
}

async function unbalancedRun(ledger: Ledger): Promise<number | null> {
  const runs = await ledger.db
    .selectFrom('run')
    .select('run_id as run')
    .where('ending', '=', 'unbalanced')
    .orderBy('run_id', 'desc')
    .limit(sql.lit(RUNS))
    .execute();
  for (const { run } of runs) {
    if ((await equationsIn(ledger, { runId: run })).some(({ holds }) => !holds)) return run;
  }
  return null;
}

/** Compares the rows that were read of each published drop with what staging recorded of them. */
export async function unbalancedDrops(ledger: Ledger): Promise<UnbalancedDrop[]> {
  return ledger.db
    .selectFrom('drop_file as d')
    .select(['d.drop_id as dropId', 'd.file_name as file'])
    .where('d.state', '=', sql.lit('published'))
    .where(
      sql<boolean>`d.rows_read <> d.staged + d.duplicate + d.amended + d.invalid + d.skipped + d.non_data + d.blank`,
    )
    .execute();
}
