import { sql } from 'kysely';
import type { Ledger } from '../../store/query.js';
import { equationsIn } from './equations.js';

/** So many of the runs that found their books unbalanced are looked at again. */
const RUNS = 20;

/**
 * The latest run with control equations that don't hold (null: none) and the number of `unbalancedDrops`, as far as runs and drops
 * themselves tell; null: all balances. A report compares every row.
 */
export async function unbalanced(ledger: Ledger) {
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

/** The published drops that had more or fewer rows than staging recorded for all dispositions. */
export async function unbalancedDrops(ledger: Ledger) {
  return ledger.db
    .selectFrom('drop_file as d')
    .select(['d.drop_id as dropId', 'd.file_name as file'])
    .where('d.state', '=', sql.lit('published'))
    .where(
      sql<boolean>`d.rows_read <> d.staged + d.duplicate + d.amended + d.invalid + d.skipped + d.non_data + d.blank`,
    )
    .execute();
}
