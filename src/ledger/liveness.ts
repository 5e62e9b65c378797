import { isoFromMs } from '../domain/clock.js';
import type { RunEnd } from '../domain/run.js';
import { leaseHolder } from './leases.js';
import { change, first, type Ledger, query } from './query.js';

/** What tells whether work gets done. */
export interface Liveness {
  /**
   * From when on a run is to be expected: since the last that went through without a person, or the scheduler's start where
   * that is later.
   */
  readonly since: string;
  /** How the latest run ended; null when none has. */
  readonly latestEnd: RunEnd | null;
  /** Some process stages or delivers now. */
  readonly isAtWork: boolean;
}

/** Ends of runs that got through: what broke off, died or was stopped did not. */
const THROUGH: readonly RunEnd[] = ['done', 'attention', 'unavailable', 'unbalanced'];

/** @param environments names of those that may be pushed to. */
export function livenessOf(ledger: Ledger, environments: readonly string[]): Liveness {
  const made = first(ledger, query.selectFrom('ledger').select('created_at as at'));
  const started = first(ledger, query.selectFrom('scheduler').select('started_at as at'));
  const ended = query.selectFrom('run').where('ended_at', 'is not', null).orderBy('run_id', 'desc').limit(1);
  const through = first(
    ledger,
    ended.select('ended_at as at').where('end', 'in', THROUGH).where('trigger', '=', 'cron'),
  );
  const times = [made?.at, started?.at, through?.at].filter((at) => typeof at === 'string');
  const leases = ['stage', ...environments.map((name) => `push:${name}` as const)] as const;
  return {
    since: times.sort().at(-1) ?? isoFromMs(ledger.clock.nowMs()),
    latestEnd: first(ledger, ended.select('end'))?.end ?? null,
    isAtWork: leases.some((name) => leaseHolder(ledger, name) !== null),
  };
}

/** Notes that a scheduler has started: what was due before that is no fault of its own. */
export function schedulerStarted(ledger: Ledger): void {
  const started_at = isoFromMs(ledger.clock.nowMs());
  change(
    ledger,
    query
      .insertInto('scheduler')
      .values({ scheduler_id: 1, started_at })
      .onConflict((conflict) => conflict.column('scheduler_id').doUpdateSet({ started_at })),
  );
}
