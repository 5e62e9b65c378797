import { isoFromMs } from '../../domain/clock.js';
import { firstInTurn } from '../../domain/process/in-turn.js';
import type { RunEnd } from '../../domain/process/run.js';
import { change, first, type Ledger, query } from '../store/query.js';
import { leaseHolder } from './leases.js';

/** The facts that show whether work gets done. */
export interface Liveness {
  /**
   * The time from which a run is expected: the end of the last run that went through without a person, or the scheduler's start
   * where that is later.
   */
  readonly since: string;
  /** How the latest run ended; null when none has. */
  readonly latestEnd: RunEnd | null;
  /** Some process stages or delivers now. */
  readonly isAtWork: boolean;
}

/** Ends of runs that got through: runs that broke off, died or were stopped did not. */
const THROUGH: readonly RunEnd[] = ['done', 'attention', 'unavailable', 'unbalanced'];

/** @param environments names of those that may be pushed to. */
export async function livenessOf(ledger: Ledger, environments: readonly string[]): Promise<Liveness> {
  const ledgerMade = await first(ledger, query.selectFrom('ledger').select('created_at as at'));
  const started = await first(ledger, query.selectFrom('scheduler').select('started_at as at'));
  const ended = query.selectFrom('run').where('ended_at', 'is not', null).orderBy('run_id', 'desc').limit(1);
  const through = await first(
    ledger,
    ended.select('ended_at as at').where('ending', 'in', THROUGH).where('trigger', '=', 'cron'),
  );
  const times = [ledgerMade?.at, started?.at, through?.at].filter((at) => typeof at === 'string');
  const leases = ['stage', ...environments.map((name) => `push:${name}` as const)] as const;
  return {
    since: times.sort().at(-1) ?? isoFromMs(ledger.clock.nowMs()),
    latestEnd: (await first(ledger, ended.select('ending as end')))?.end ?? null,
    isAtWork:
      (await firstInTurn(leases, async (name) => (await leaseHolder(ledger, name)) !== null)) !== undefined,
  };
}

/** Records the start of a scheduler: it is not to blame for runs that were due before. */
export async function noteSchedulerStart(ledger: Ledger): Promise<void> {
  const started_at = isoFromMs(ledger.clock.nowMs());
  await change(
    ledger,
    query
      .insertInto('scheduler')
      .values({ scheduler_id: 1, started_at })
      .onConflict((conflict) => conflict.column('scheduler_id').doUpdateSet({ started_at })),
  );
}
